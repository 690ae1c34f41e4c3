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
#ifndef GOEXITS
#define GOEXITS 0	/* hooks that end their goroutine */
#endif
#ifndef RESETS
#define RESETS 0
#endif
#ifndef SWAPS
#define SWAPS 0		/* a definition changes between two ticks: the last behavior is dismissed, and enrolled as another */
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
#define KINDS 15	/* bit r: request r is made; ASK_AMONG only where a configuration says so */
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

#ifndef TRACE
#define NG	(1+PANICS+GOEXITS+OVERRUNS+SWAPS)	/* incarnations of a behavior */
#define ND	3			/* frames of an incarnation */
#define NP	(NB*NG*ND)
#endif
#define INC(n, g)	((n)*NG+(g))
#ifdef M_REUSE_FRAME
#define PORT(n, g, d)	((n)*NG*ND+(d))
#else
#define PORT(n, g, d)	(INC(n, g)*ND+(d))
#endif
#ifdef TRACE
#define INC_OF(p)	inc_of[p]
#define CELL_OF(p)	inc_of[p]	/* the incarnation stands for the behavior */
#else
#define INC_OF(p)	((p)/ND)
#define CELL_OF(p)	((p)/(ND*NG))
#endif
#ifndef NI
#define NI NB		/* items of a job */
#endif
#define ITEM(w, i)	((w)*NI+(i))
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
#define ASK_AMONG	4	/* who wants, of all that the behavior lists */
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

mtype = { done, call, peek, tick, drain };

#ifndef MASK
#define MASK byte
#endif

/* barrier: shared between goroutines */
chan signals = [CAP] of { mtype, byte, byte, byte, byte, byte };	/* kind, job, port, request, target, ghost: epoch */
bit go[NW];		/* the jobs channel of a worker, capacity one */
byte state[NW];		/* index<<2 | has failures<<1 | abandoned */
byte size[NW];		/* deliveries of the job */
byte item[NW*NI];	/* the frame of each, that is its port */
byte item_box[NW*NI];	/* the mailbox of each */
byte err[NW*NI];
bit poll[NW];		/* job.poll: the first yes or failure makes the items after it needless */
bit yes[NW];		/* the answer to WANTS */
bit alone[NW];		/* the hook shall be the last of its poll: a request of it cost an incarnation */
byte last[NW];		/* of a poll: the item that ran last */
byte hook[NW];
bit finished[NW];	/* job.done */
byte innermost;		/* the innermost job: worker+1, 0 between hooks */
bit asking[NP];
byte answers[NP];	/* channel of capacity one */
bit armed;		/* the poll timer runs */
bit late;		/* it found no room and comes again; nothing stops it */
byte zombies;

/* engine: its goroutine only, but for lost and dead */
bit idle[NW];		/* free list */
bit polling;
bit lost[NB];
bit dead[NB*NG];	/* of a mailbox */
bit overran;		/* result of the hand-over that returned */
bit refused;		/* overran because no hook is called any more */
bit no_more_hooks;	/* that was so once */

#ifndef TRACE
/* stack */
byte inc[NB];
byte mailbox[NB];	/* generation of the actor */
bit halted[NB*NG];	/* only for a mutant: the mailbox took a Stop */
byte depth[NB];
byte where[NB];
byte count[NB];
byte epoch[NB];
byte asked[NB];
bit said[NB];
bit answering[NB];
byte queued[NB];	/* its question waits in so many polls */
byte settled[NW];	/* questions of a poll whose answer is stamped */
byte upsets;		/* incarnations lost, and questions to behaviors whose question waits: the hook that made them is the last of its poll */
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
bit answer;		/* result of the call that returned */

/* pacer and supervisor */
chan inbox = [2] of { mtype };
bit busy;
bit resetWanted;
bit ticking, ended, failed;

/* ghosts of the stack */
byte believes[NB*NG];
bit got[NB];		/* an Update in this tick */
#endif

/* what may still happen */
byte requests;
byte zombieRequests = ZOMBIE_REQUESTS;
byte panics = PANICS;
byte overruns = OVERRUNS;
byte goexits = GOEXITS;
byte resets = RESETS;
byte foreign = FOREIGN;
byte stops = STOPS;
byte swaps = SWAPS;

/* ghosts */
bit hung[NW];		/* the hook will not go on before it is abandoned */
bit runs[NW];		/* a hook runs here and does not wait for an answer */
bit gone[NW];		/* the goroutine of an abandoned worker has ended */
MASK won[NW];		/* bit i: delivery i of the job has its verdict */
MASK begun[NW];		/* bit i: the hook of item i began */
byte ending[NW];	/* of a poll: the item that makes the others needless, plus 1 */
bit fallen[NB*NG];	/* incarnations that panicked */
bit meddled;		/* the author's goroutine was served: its hook no longer waits for it */
bit leftOut;		/* a hook was not called because of too many zombies */
byte handovers;
byte q;

#define FRAIL_NOW(w)	(FRAIL & (1<<hook[w]))
#define FOR(v, n)	v = 0; do :: v < n ->
#define ROF(v)	v++ :: else -> v = 0; break od

/* The engine's goroutine is a pile of processes of which the topmost runs: a call in the code is a new process on top, at
 * level l. */
#ifdef LIVE
#define CLAIM 1
#else
#define CLAIM 0
#endif
/* Processes that never end: the engine at level 0 is one of them, and spin counts the claim of a formula. */
#ifdef TRACE
#define OTHERS	(3 + NW + MEDDLERS)
#else
#define OTHERS	(4 + NW + (RESETS > 0) + (FOREIGN > 0) + (STOPS > 0) + CLAIM)
#endif
#define CALL(p)	run p; (_nr_pr == OTHERS + l)

#define RUNS(w, p)	(INDEX(state[w]) < size[w] && item[ITEM(w, INDEX(state[w]))] == p)
#ifdef M_ZOMBIE_SERVED
#define NOT_ITS_HOOK	false
#else
#ifdef M_ANY_OF_JOB
#define NOT_ITS_HOOK	(j != w)
#else
#define NOT_ITS_HOOK	(j != w || !RUNS(w, p))
#endif
#endif

#ifdef M_FORGIVES
#define EXHAUSTED	(zombies >= MAXZ)
#else
#define EXHAUSTED	(no_more_hooks || zombies >= MAXZ)
#endif
