/* Who looks at a hook that hangs: the posts of actors/clock/lookout_linux.go, and Barrier.glance. Nobody else looks here, so a hook that hangs
 * and at which no post looks any more is a deadlock: the engine's goroutine waits in its worker for ever. switch.pml shows how a post
 * stands in for the engine's goroutine there; here that is one step, and here are two posts, their timers, and who takes their places.
 *
 * Time goes on whenever somebody waits for it, however little the others have done: any goroutine may lose its processor between any two
 * steps. An instant is kept as the time that is left until it, 0 for one that has passed. A period is 1, and so is the time by which the post
 * is later that does not lead.
 */

#ifndef TICKS
#define TICKS 1
#endif
#ifndef SELDOM
#define SELDOM 1		/* ticks begin seldom, and set the timers at once */
#endif
#ifndef JOBS
#define JOBS 1		/* of a tick */
#endif
#ifndef HANGS
#define HANGS 1		/* hooks that never return, or do so after they were given up */
#endif
#ifndef NEWS
#define NEWS 0		/* glances after which the engine's goroutine has to look itself */
#endif
#ifndef GLANCES
#define GLANCES 0	/* at a hook that hangs, before that is known */
#endif
#ifndef AWAY
#define AWAY 0		/* 1: it is the middle of a tick, and post 1 stands in a worker that was given up, for ever */
#endif
#define NG (2+AWAY+HANGS+NEWS)	/* goroutines that are posts, or were */
#define NOBODY NG

/* the lookout */
bit on;			/* something is due */
byte due;		/* the time until it */
bit stale[NG];		/* something else is due than what the goroutine has read, for its compare-and-swap */
byte leader;
bit ringing, closed, gone, over, mu;
byte shift[2], left = 2, began = 2;	/* began counts goroutines */
byte timer[2];		/* of a post: the time until it expires; 0 is never */
bit expired[2];		/* and nobody has read that */
bit alarmed;		/* armLate will run */
byte alarm;		/* the time until then */
bit late;		/* it does */

/* instants that a goroutine knows: one for each, then that of the engine's and that of the alarm's */
byte at[NG+2];
#define ENGINES	NG
#define ALARMS	(NG+1)

/* the barrier */
#define OUT	0	/* the engine's goroutine runs, and may be elsewhere */
#define IN	1	/* it waits in the worker */
#define CLAIMED	2	/* somebody holds that wait */
byte place;
byte polls;		/* queued */
bit asked;
mtype = { none, poll, stuck };
mtype news = none;	/* for the engine's goroutine */
byte stander = NOBODY;	/* a post stands in for it in the worker that runs */
bit come[NG];		/* the post goes on */
bit lost[NG], returns[NG];	/* its worker was given up; the hook will return */
bit hung, known;	/* the hook that runs hangs; enough was seen of that */
byte glances, tells = NEWS;

inline store(something, t) {
	on = something; due = t; i = 0;
	do
	:: i < NG -> stale[i] = 1; i++
	:: else -> break
	od;
	i = 0
}

/* t is 0 for an instant that has passed */
inline settime(p, t) { atomic { assert(!gone); timer[p] = t; expired[p] = (t == 0) } }
inline disarm(p) { atomic { assert(!gone); timer[p] = 0; expired[p] = 0 } }

/* arm: who sets a timer reads first who leads */
inline arm(me, p, x) {
	p = 0;
	do
	:: p < 2 -> x = (leader != p); settime(p, at[me]+x); p++
	:: else -> break
	od;
	atomic { p = 0; x = 0; at[me] = 0 }
}

inline replace(p) {
	ringing = 0;
	p = 0;
	do
	:: p < 2 ->
		if
		:: atomic { shift[p]%2 == 1 -> shift[p]++; assert(began < NG); run Post(p, began); began++ }
		:: shift[p]%2 == 0
		fi;
		p++
	:: else -> break
	od;
	p = 0
}

inline set(p, x) {
	p = shift[0]%2;		/* away */
	x = shift[1]%2;
	if
	:: p && x ->
#ifndef M_BOTH_AWAY
		replace(p)
#endif
	:: p && !x -> leader = 1
	:: !p && x -> leader = 0
	:: else
	fi;
	atomic { at[ENGINES] = 1; store(1, 1) };
	arm(ENGINES, p, x)
}

inline give_up() {
	hung = 0; abandoned = 1;
	if
	:: stander != NOBODY -> lost[stander] = 1; if :: returns[stander] = 1 :: true fi; stander = NOBODY
	:: else
	fi
}

/* The engine's goroutine: ticks, their jobs, and what it hears while it waits in a worker. */
proctype Engine() {
	byte ticks = TICKS, jobs, hangs = HANGS, x, p, i;
	bit done, abandoned;
	do
	:: ticks > 0 ->
		ticks--;
		if :: ringing && !AWAY -> replace(p) :: else fi;	/* Begin */
#if SELDOM
		if :: leader = 0 :: leader = 1 fi;
#endif
		atomic { at[ENGINES] = 1; store(1, 1) };
#if SELDOM
		arm(ENGINES, p, x);
#else
		atomic { at[ENGINES] = 0; alarmed = 1; alarm = 1 };
#endif
		jobs = JOBS;
		do
		:: jobs > 0 ->
			atomic { jobs--; done = 0; abandoned = 0;
				if
				:: hangs > 0 -> hangs--; hung = 1; known = 0; glances = GLANCES
				:: true
				fi };
			do
			:: done || abandoned -> break
			:: else ->
				if
				:: atomic { place == OUT && news == none && polls > 0 -> polls--; news = poll }
				:: atomic { place == OUT && news == none && polls == 0 -> /* enter */
					if
					:: stander != NOBODY -> place = CLAIMED; come[stander] = 1; stander = NOBODY
					:: else -> place = IN
					fi }
				:: atomic { place == IN && polls > 0 -> place = OUT; polls--; news = poll }	/* the deputy relieves it */
				:: atomic { place == IN && !hung -> place = OUT; done = 1 }
				:: atomic { place == OUT && news == poll -> news = none; asked = 0 };
					atomic {
						if
						:: hung && known -> give_up()
						:: hung && !known -> known = 1
						:: else
						fi };
					set(p, x)
				:: atomic { place == OUT && news == stuck -> news = none; assert(hung); give_up() };
					set(p, x)
				fi
			od
		:: else -> break
		od;
		atomic { store(0, 0) };	/* Stop */
#if SELDOM
		disarm(0);
		disarm(1)
#else
		atomic { alarmed = 0; alarm = 0 }
#endif
	:: else -> break
	od;
	closed = 1;	/* Close */
	atomic { alarmed = 0; alarm = 0 };
	replace(p);
	atomic { !mu -> mu = 1 };
#ifndef M_CLOSES_SILENTLY
	if :: !gone -> settime(0, 0); settime(1, 0) :: else fi;
#endif
	mu = 0;
	(over)
}

/* A goroutine g that is post p: wait, glance and ring. */
proctype Post(byte p; byte g) {
	byte s, i;
again:
#ifndef M_FORGETS_LATE
	expired[p] = 0;	/* forget */
#endif
	if
	:: closed ->
		atomic { left--; s = left };
		if :: s == 0 -> atomic { !mu -> gone = 1 }; over = 1 :: else fi;
		goto leave
	:: else
	fi;
	atomic { stale[g] = 0; s = on; if :: on -> at[g] = due+(leader != p) :: else fi };
#ifdef M_FORGETS_LATE
	expired[p] = 0;
#endif
	if :: s == 0 -> goto await :: else -> s = 0 fi;
	if
	:: at[g] > 0 ->
		atomic { settime(p, at[g]); at[g] = 0 };
		if :: stale[g] -> goto again :: else fi;
		goto await
	:: else
	fi;
	if	/* glance */
	:: atomic { place == IN -> place = CLAIMED };
		if
		:: atomic { !hung || glances > 0 -> if :: hung -> glances-- :: else fi; place = IN }
		:: atomic { tells > 0 -> tells--; news = poll }; goto ring
		:: atomic { hung && glances == 0 -> news = stuck }; goto ring
		fi
	:: atomic { place != IN -> s = asked; asked = 1 };	/* ask */
		if :: s == 0 -> polls++ :: else fi
	fi;
	atomic { if :: !stale[g] -> store(1, 1) :: else fi; s = 0 };
	goto again;
await:	atomic { stale[g] = 1; s = 0 };
end_await:
	(expired[p]);
	goto again;
ring:	atomic { stale[g] = 1; shift[p]++; s = shift[p] };
	ringing = 1;
	atomic { stander = g; place = OUT };
end_in:	atomic { come[g] -> come[g] = 0 };
	if :: !lost[g] -> place = IN :: else fi;
	if
	:: atomic { shift[p] == s -> shift[p]++; s = 0 }; goto again
	:: shift[p] != s
	fi;
leave:	skip
}

/* A hook that was given up returns. */
proctype Zombie() {
	byte g;
end:	do
	:: atomic { returns[0] && lost[0] -> returns[0] = 0; come[0] = 1 }
	:: atomic { returns[1] && lost[1] -> returns[1] = 0; come[1] = 1 }
#if AWAY+HANGS+NEWS > 0
	:: atomic { returns[2] && lost[2] -> returns[2] = 0; come[2] = 1 }
#endif
#if AWAY+HANGS+NEWS > 1
	:: atomic { returns[3] && lost[3] -> returns[3] = 0; come[3] = 1 }
#endif
#if AWAY+HANGS+NEWS > 2
	:: atomic { returns[4] && lost[4] -> returns[4] = 0; come[4] = 1 }
#endif
	od
}

/* armLate, on the goroutine of the alarm: as late as it likes, in one step */
proctype Alarm() {
	byte p, x;
end:	do
	:: atomic { alarmed && alarm == 0 && !mu -> alarmed = 0; if :: on && !gone && !closed -> at[ALARMS] = due; arm(ALARMS, p, x) :: else fi }
	od
}

proctype Clock() {
	byte i;
end:	do
	:: atomic { timer[0] > 0 || timer[1] > 0 || (alarmed && alarm > 0) ->
		i = 0;
		do
		:: i < 2 -> if :: timer[i] > 0 -> timer[i]--; if :: timer[i] == 0 -> expired[i] = 1 :: else fi :: else fi; i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < NG+2 -> if :: at[i] > 0 -> at[i]-- :: else fi; i++
		:: else -> break
		od;
		i = 0;
		if :: alarm > 0 -> alarm-- :: else fi;
		if :: due > 0 -> due-- :: else fi }
	od
}

init {
	atomic {
		run Post(0, 0);
		if
		:: AWAY -> shift[1] = 1; lost[1] = 1; ringing = 1
		:: else -> run Post(1, 1)
		fi;
		run Engine(); run Clock(); run Alarm(); run Zombie()
	};
	(over)
}
