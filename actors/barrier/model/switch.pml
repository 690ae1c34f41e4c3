/* How the engine's goroutine gets into a worker's coroutine and out of it: actors/barrier/crossing.go. The other files take that for
 * channels, which a goroutine waits at until somebody sends; here it is shown that a switch does as much: nobody waits for ever, and
 * whoever switches finds in the coroutine whom it means to find. A request is a switch too, unless somebody else has won the wait.
 *
 * Worker 0 runs the jobs, worker 1 what a request of worker 0's hook leads to. A hook may make a request, hang until it is given up, and
 * end its goroutine. At any time a timer wants a look, the lookout has one of its own, and a goroutine that an author started makes a
 * request.
 */

#ifndef JOBS
#define JOBS 2		/* of worker 0 */
#endif
#ifndef LOOKS
#define LOOKS 1
#endif
#ifndef GLANCES
#define GLANCES 0
#endif
#ifndef FOREIGN
#define FOREIGN 1
#endif
#ifndef ASKS
#define ASKS 1
#endif
#ifndef HANGS
#define HANGS 1
#endif
#ifndef GOEXITS
#define GOEXITS 0
#endif
#define NW (2+HANGS+GOEXITS)	/* workers: one that was given up or whose goroutine was ended is not used again */

/* who waits in a coroutine */
#define NOBODY	0
#define ENGINE	1
#define OWN	2	/* the worker's goroutine, or the one that carries on in its place */
#define DEPUTY	3
#define BESIDE	4	/* a goroutine that an author started */
#define POST	5	/* of the lookout */

/* why the engine's goroutine was switched to, beside a signal that it takes */
#define DONE	1
#define ASKED	2	/* by the hook */
#define FOREIGNER	3	/* by the goroutine beside it */
#define STUCK	4	/* by the lookout: the hook hangs */

mtype = { done, call, look, stuck };
chan signals = [4] of { mtype, byte, bit };	/* kind, worker, of a hook */
byte sent = 10;		/* told and not taken; 10 is none, for a signal may be taken before it is counted */
byte waits;		/* worker+1 */
byte slot[NW];		/* who waits in the coroutine */
byte turn[NW];		/* who was switched to, and has not noticed */
bit engines;		/* the engine's goroutine was switched to */
byte handed[NW];	/* why the engine's goroutine goes on */
bit owes[NW];		/* the engine's goroutine enters before it takes a signal: its job, or an answer, is waited for in the coroutine */
bit fin[NW];	/* the engine's goroutine knows that the job is done */
bit apart[NW], exited[NW], over[NW];
bit more[NW], closed[NW], ended[NW];	/* channels of a worker */
byte called[NW];	/* the deputy's channel: its capacity is one */
bit working[NW];	/* an item runs that the watchdog may give up */
bit given_up[NW];
bit answer[NW], answerForeign;
byte next_worker = 2, hangs = HANGS, glances = GLANCES, asks = ASKS, goexits = GOEXITS, looks = LOOKS, foreign = FOREIGN;
byte hung;	/* hooks that wait to be given up */
bit stopped;

/* A goroutine gives way to the one that waits in the coroutine. */
inline to_engine(w, me) {
	atomic { assert(slot[w] == ENGINE); slot[w] = me; assert(!engines); engines = 1 }
}
inline to_worker(w) {
	atomic { assert(slot[w] == OWN || slot[w] == DEPUTY || slot[w] == BESIDE || slot[w] == POST); assert(turn[w] == NOBODY); turn[w] = slot[w]; slot[w] = ENGINE }
}
inline back(w, me) { atomic { turn[w] == me -> turn[w] = NOBODY } }

#ifdef M_NO_RECHECK
#define COUNTED	false	/* arrive does not look for signals */
#else
#define COUNTED	(sent > 10)
#endif

inline wake(x) {
	if
	:: atomic { waits != 0 -> x = waits; waits = 0 }; called[x-1]++; assert(called[x-1] <= 1); x = 0
	:: atomic { waits == 0 -> skip }
	fi
}
inline tell(kind, w, h, x) { signals!kind,w,h; sent++; wake(x) }
inline arrive(w, x) {
#ifndef M_EARLY
	waits = w+1;
#endif
	if :: COUNTED -> wake(x) :: else fi
}

#ifdef M_NO_CLAIM
#define CLAIMS(w)	true
#else
#define CLAIMS(w)	(waits == w+1)
#endif

/* A request, which returns with its answer: by a switch, or as a signal. */
inline ask(w, me, why, ofhook, replied, x) {
	if
	:: atomic { CLAIMS(w) -> waits = 0 };
		handed[w] = why;
		to_engine(w, me);
		back(w, me);
		arrive(w, x)
	:: atomic { !CLAIMS(w) -> skip };
		tell(call, w, ofhook, x);
		atomic { replied -> replied = 0 }
	fi
}

#ifdef M_NO_DEBT
#define OWES(w)	false
#else
#define OWES(w)	owes[w]
#endif

/* ---- the engine's goroutine ---- */

inline enter(w) {
#ifdef M_EARLY
	waits = w+1;
#endif
	to_worker(w);
	atomic {
		engines -> engines = 0;
		fin[w] = fin[w] || (handed[w] == DONE);
		owes[w] = (handed[w] == ASKED || handed[w] == FOREIGNER);
		if
		:: handed[w] == STUCK -> kind = stuck
		:: handed[w] == ASKED || handed[w] == FOREIGNER -> kind = call; from = w; ofhook = (handed[w] == ASKED)
		:: else -> kind = 0
		fi;
		handed[w] = 0
	}
}

#ifdef M_NO_VISIT
#define OVER(w)	(fin[w])
#else
#define OVER(w)	(fin[w] && !owes[w])
#endif

/* one signal, or a wait in the worker */
inline listen(w) {
	if
	:: atomic { !OWES(w) && nempty(signals) -> signals?kind,from,ofhook }; sent--;
	:: atomic { OWES(w) || empty(signals) -> skip }; enter(w)
	fi
}
/* for the sake of a goroutine beside the hook that waits for its answer, although the job is done */
inline visit(w) { sent++; enter(w); sent-- }

inline hand_over(w) {
	fin[w] = 0; lost = 0; owes[w] = 1;
	if :: apart[w] -> apart[w] = 0; more[w] = 1 :: else fi
}
inline end_worker(w) {
	closed[w] = 1;
	if
	:: exited[w] -> ended[w] = 1
	:: !exited[w] && !apart[w] -> over[w] = 1; to_worker(w); (engines) -> engines = 0	/* stop: the goroutine ends and comes back */
	:: else
	fi
}
inline fresh(w) { atomic { assert(next_worker < NW); w = next_worker; next_worker++ } }

/* to a request that came while the engine's goroutine waited in w */
inline reply(w) {
	if
	:: owes[w]	/* when it enters */
	:: !owes[w] && ofhook -> answer[from] = 1
	:: !owes[w] && !ofhook -> answerForeign = 1
	fi
}

proctype Engine() {
	byte w = 0, n = 1, jobs = JOBS, from, asker;
	mtype kind;
	bit lost, ofhook, byhand, hook;
	do
	:: jobs > 0 ->
		jobs--;
		hand_over(w);
		do
		:: OVER(w) || lost -> break
		:: else ->
			if :: fin[w] -> visit(w) :: else -> listen(w) fi;
			if
			:: kind == 0
			:: kind == look ->
				if
				:: atomic { working[w] && hangs > 0 -> assert(slot[w] == DEPUTY || slot[w] == POST); hangs--; working[w] = 0; given_up[w] = 1; lost = 1 }
				:: true
				fi
			:: kind == stuck ->
				if
				:: atomic { working[w] && hangs > 0 -> assert(slot[w] == DEPUTY || slot[w] == POST); hangs--; working[w] = 0; given_up[w] = 1; lost = 1 }
				:: true
				fi
			:: kind == done ->
				apart[from] = 1;
				fin[from] = 1
			:: kind == call && ofhook && given_up[from] -> answer[from] = 1	/* refused */
			:: kind == call && !ofhook -> reply(w)	/* refused, or nothing runs for it */
			:: kind == call && !(ofhook && given_up[from]) && !fin[w] ->
				asker = from; byhand = owes[w]; hook = ofhook;
				hand_over(n);
				do
				:: OVER(n) -> break
				:: else ->
					if :: fin[n] -> visit(n) :: else -> listen(n) fi;
					if
					:: kind == call -> assert(!ofhook || given_up[from] || !hook); reply(n)
					:: kind == done -> apart[from] = 1; fin[from] = 1
					:: else
					fi
				od;
				if :: exited[n] -> end_worker(n); fresh(n) :: else fi;
				if
				:: byhand
				:: !byhand && hook -> answer[asker] = 1
				:: !byhand && !hook -> answerForeign = 1
				fi
			fi;
			kind = 0
		od;
		if
		:: lost -> fresh(w)
		:: !lost && exited[w] -> end_worker(w); fresh(w)
		:: else
		fi
	:: jobs == 0 -> break
	od;
	end_worker(w);
	end_worker(n);
	stopped = 1;
end:	do	/* requests that came too late */
	:: atomic { nempty(signals) -> signals?kind,from,ofhook; if :: kind == call && ofhook -> answer[from] = 1 :: kind == call && !ofhook -> answerForeign = 1 :: else fi }
	od
}

/* ---- a worker ---- */

/* The job's items: what a hook does. left says that it ended its goroutine. */
inline job(w, x, left) {
	atomic { !over[w] -> working[w] = 1 };
	if
	:: atomic { w != 1 && asks > 0 && !given_up[w] -> asks-- }; ask(w, OWN, ASKED, 1, answer[w], x)
	:: atomic { w != 1 && hangs > 0 -> hung++ }; atomic { given_up[w] -> hung-- }
	:: true
	fi;
	if
	:: atomic { goexits > 0 && !exited[w] -> goexits--; left = 1 }
	:: true
	fi;
	atomic { working[w] = 0 }	/* the compare-and-swap by which it moves on */
}

/* report: continues at again with another job, at leave without one */
inline report(w) {
	if
	:: atomic { CLAIMS(w) -> waits = 0 };
		handed[w] = DONE;
		to_engine(w, OWN);
		back(w, OWN);
		if :: over[w] -> goto leave :: else fi;
		arrive(w, x)
	:: atomic { !CLAIMS(w) -> skip };
		tell(done, w, 0, x);
		if
		:: atomic { more[w] -> more[w] = 0 }
		:: closed[w] && !more[w] -> goto leave
		fi
	fi
}

proctype Worker(byte w) {
	byte x;
	bit left;
end:	back(w, OWN);
	if :: over[w] -> goto leave :: else fi;
	arrive(w, x);
again:	job(w, x, left);
	if
	:: left -> exited[w] = 1; run CarryOn(w);
#ifndef M_LEAVES_AT_ONCE
end_wait:	(ended[w]);
#endif
		goto leave
	:: !left && given_up[w] -> goto leave
	:: else
	fi;
	report(w);
	goto again;
leave:	/* the runtime switches to whoever waits in the coroutine, which has ended */
	atomic {
		if
		:: over[w] -> assert(slot[w] == ENGINE); engines = 1
		:: else -> over[w] = 1; assert(slot[w] == DEPUTY || slot[w] == OWN || slot[w] == POST); turn[w] = slot[w]
		fi;
		slot[w] = NOBODY
	}
}

/* The rest of a job whose goroutine was ended: there is none here. */
proctype CarryOn(byte w) {
	byte x;
	if
	:: given_up[w] -> ended[w] = 1; goto leave
	:: else
	fi;
	report(w);
leave:	skip
}

proctype Deputy(byte w) {
	byte x;
end:	do
	:: atomic { called[w] > 0 -> called[w]-- };
		to_engine(w, DEPUTY);
end_in:		back(w, DEPUTY);
		if :: over[w] -> break :: else fi;
		arrive(w, x)
	od
}

/* A glance of the lookout: it holds the wait in the worker for a moment, or stands in for the engine's goroutine. */
proctype Post() {
	byte x, w;
	do
	:: atomic { glances > 0 && waits != 0 -> glances--; w = waits-1; waits = 0 };
		if
		:: true
		:: handed[w] = STUCK;
			to_engine(w, POST);
end_in:			back(w, POST);
			if :: over[w] -> break :: else fi
		fi;
#ifdef M_GLANCE_KEEPS
		if :: handed[w] == 0 -> skip :: else fi
#else
		arrive(w, x)
#endif
	:: glances == 0 || stopped -> break
	od
}

/* ---- beside ---- */

proctype Timer() {
	byte x;
	do
	:: atomic { looks > 0 -> looks-- }; tell(look, 0, 0, x)
	:: atomic { hung > 0 && looks == 0 && empty(signals) -> looks = 1 }	/* a look asks for the next one */
	:: stopped -> break
	od
}

proctype Foreign() {
	byte x, w;
	do
	:: atomic { foreign > 0 -> foreign-- };
		if :: w = 0 :: w = 1 fi;
end_wait:	ask(w, BESIDE, FOREIGNER, 0, answerForeign, x)
	:: foreign == 0 -> break
	od
}

init {
	byte i;
	atomic {
		do
		:: i < NW -> slot[i] = OWN; run Worker(i); run Deputy(i); i++
		:: else -> break
		od;
		run Engine(); run Timer(); run Foreign();
		if :: glances > 0 -> run Post() :: else fi;
		if :: glances > 1 -> run Post() :: else fi
	};
	(stopped)
}
