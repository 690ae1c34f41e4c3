/* The sizes of a configuration, and everything that is shared. */

#ifndef NB
#define NB 3		/* behaviors: 0 is the boot behavior */
#endif
#ifdef FLAT
#define LISTS(a, b) ((a) == 0 && (b) > 0)	/* a may delegate to b */
#else
#define LISTS(a, b) ((a) < (b))
#endif
#ifndef TICKS
#define TICKS 2
#endif
#ifndef REQUESTS
#define REQUESTS 3	/* requests of hooks in one tick */
#endif
#ifndef ZOMBIE_REQUESTS
#define ZOMBIE_REQUESTS 1	/* requests of abandoned hooks in the whole run */
#endif
#ifndef PANICS
#define PANICS 1
#endif
#ifndef OVERRUNS
#define OVERRUNS 1	/* hooks that hang, and false alarms */
#endif
#ifndef RESETS
#define RESETS 0
#endif
#ifndef FOREIGN
#define FOREIGN 0	/* requests of a goroutine that a hook of behavior MEDDLER started */
#endif
#ifndef STOPS
#define STOPS 0		/* an unauthorized sender tells an actor to stop */
#endif
#ifndef MAXZ
#define MAXZ (OVERRUNS+1)	/* MaxZombies; 32 in the code, here never reached unless asked for */
#endif
#ifndef MEDDLER
#define MEDDLER (NB-1)
#endif
#ifndef ASKERS
#define ASKERS 511	/* bit h: hook h makes requests */
#endif
#ifndef KINDS
#define KINDS 15	/* bit r: request r is made */
#endif
#ifndef FRAIL
#define FRAIL 511	/* bit h: hook h panics, hangs, and is given up by mistake */
#endif
#ifndef NW
#define NW 6		/* workers */
#endif
#ifndef CAP
#define CAP (NW+3)	/* of signals; 64 in the code, here never full unless asked for */
#endif

#define NG	(1+PANICS+OVERRUNS)	/* incarnations of a behavior */
#define ND	3			/* frames of an incarnation */
#define NP	(NB*NG*ND)
#define INC(n, g)	((n)*NG+(g))
#ifdef M_REUSE_FRAME
#define PORT(n, g, d)	((n)*NG*ND+(d))
#else
#define PORT(n, g, d)	(INC(n, g)*ND+(d))
#endif
#define INC_OF(p)	((p)/ND)
#define CELL_OF(p)	((p)/(ND*NG))
#define ITEM(w, i)	((w)*NB+(i))
#define ABANDONED(w)	(state[w] & 1)
#define HAS_FAILURES(w)	(state[w] & 2)
#define INDEX(s)	((s)>>2)

/* hooks */
#define CONSTRUCT	0
#define INIT		1
#define ENTERED		2
#define WANTS		3
#define ACTIVATED	4
#define UPDATE		5
#define DEACTIVATED	6
#define LEFT		7
#define MODIFY		8
/* requests */
#define ASK		0
#define DELEGATE	1
#define CANCEL_DELEGATES 2
#define CANCEL_SELF	3
/* verdicts; 0 is an empty channel */
#define GO	1
#define UNWIND	2
#define STALE	3
/* errors of an item */
#define FINE	0
#define PANIC	1
#define REVOKED	2
/* where a behavior stands, and (ghost) where its incarnation believes to stand */
#define NEW	0
#define MADE	1
#define OUT	2
#define IN	3
#define ACTIVE	4

mtype = { done, call, poll, tick, drain };

/* barrier: shared between goroutines */
chan signals = [CAP] of { mtype, byte, byte, byte, byte, byte };	/* kind, job, port, request, target, ghost: epoch */
bit go[NW];		/* the jobs channel of a worker, capacity one */
byte state[NW];		/* index<<2 | has failures<<1 | abandoned */
byte size[NW];		/* deliveries of the job */
byte item[NW*NB];	/* the frame of each, that is its port */
byte item_box[NW*NB];	/* the mailbox of each */
byte err[NW*NB];
bit yes[NW];		/* the answer to WANTS */
byte hook[NW];
bit finished[NW];	/* job.done */
byte innermost;		/* the innermost job: worker+1, 0 between hooks */
bit asking[NP];
byte answers[NP];	/* channel of capacity one */
bit armed;		/* the poll timer runs */
bit late;		/* it found no room and comes again; nothing stops it */
byte zombies;

/* engine and stack: the engine's goroutine only, but for lost and dead */
bit idle[NW];		/* free list */
bit polling;
bit lost[NB];
byte inc[NB];
byte mailbox[NB];	/* generation of the actor */
bit dead[NB*NG];	/* of a mailbox */
bit halted[NB*NG];	/* only for a mutant: the mailbox took a Stop */
byte depth[NB];
byte where[NB];
byte count[NB];
byte epoch[NB];
byte asked[NB];
bit said[NB];
bit answering[NB];
bit fresh[NB];
byte updated[NB];
bit broken[NB];
bit disabled[NB];
byte layers[NB+1];
byte height;
byte questions;
bit started;
byte base;
byte pending;		/* base+1 of a reset, 0 = none */
byte now;		/* tick */
bit answer, overran;	/* results of the call that returned */
bit refused;		/* overran because no hook is called any more */
bit no_more_hooks;		/* that was so once */

/* pacer and supervisor */
chan inbox = [2] of { mtype };
bit busy;
bit resetWanted;
bit ticking, ended, failed;

/* what may still happen */
byte requests;
byte zombieRequests = ZOMBIE_REQUESTS;
byte panics = PANICS;
byte overruns = OVERRUNS;
byte resets = RESETS;
byte foreign = FOREIGN;
byte stops = STOPS;

/* ghosts */
bit hung[NW];		/* the hook will not go on before it is abandoned */
bit runs[NW];		/* a hook runs here and does not wait for an answer */
bit gone[NW];		/* the goroutine of an abandoned worker has ended */
byte believes[NB*NG];
bit got[NB];		/* an Update in this tick */
byte won[NW];		/* bit i: delivery i of the job has its verdict */
bit fallen[NB*NG];	/* incarnations that panicked */
bit meddled;		/* the author's goroutine was served: its hook no longer waits for it */
bit leftOut;		/* a hook was not called because of too many zombies */
byte handovers;
byte q;

#define FRAIL_NOW(w)	(FRAIL & (1<<hook[w]))
#define LOOKS	(hungs() || (overruns > 0 && innermost > 0 && FRAIL_NOW(innermost-1)))
#define FOR(v, n)	v = 0; do :: v < n ->
#define ROF(v)	v++ :: else -> v = 0; break od
