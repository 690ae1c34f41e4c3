/* What a hook may do and what its requests do, in a robot of two or three behaviors; the trace of a real barrier has trace.pml in place of it. */

#define LOG(k, a, b)
#define TELL(k, a, b)
#define EPOCH(n)	epoch[n]
#define OF_BEHAVIOR(w)	(hook[w] != CONSTRUCT)

/* ---- what a hook may do next ------------------------------------------------------------------------------------------ */

#define MAY_ASK(w)	((ABANDONED(w) && zombieRequests > 0 && hook[w] != CONSTRUCT) || (!ABANDONED(w) && requests > 0 && (ASKERS & (1<<hook[w]) & ~1)))
#define MAY_RETURN(w)	true
#define MAY_PANIC(w)	(panics > 0 && !ABANDONED(w) && FRAIL_NOW(w))
#define MAY_EXIT(w)	(goexits > 0 && FRAIL_NOW(w))
#define MAY_HANG(w)	(overruns > 0 && !ABANDONED(w) && FRAIL_NOW(w))

inline pick(to) {
	to = 0;
	do :: to < NB-1 -> to++ :: break od
}

/* A request of a hook that is not abandoned is left out where the stack would refuse it, whatever goroutine makes it: behaviors/stack
 * has tests of its refusals. */
#define pointless	(!ABANDONED(w) && ((r == ASK && where[to] != IN) || (r == DELEGATE && !said[to]) || (r == ASK_AMONG && !LISTS(n, NB-1)) || \
			((r == CANCEL_DELEGATES || r == CANCEL_SELF) && where[n] != ACTIVE)))

inline choose(w) {
	if :: ABANDONED(w) -> zombieRequests-- :: else -> requests-- fi;
	to = n;
	if
	:: !ABANDONED(w) && (KINDS & (1<<ASK)) -> r = ASK; pick(to)
	:: !ABANDONED(w) && (KINDS & (1<<DELEGATE)) -> r = DELEGATE; pick(to)
	:: !ABANDONED(w) && (KINDS & (1<<CANCEL_DELEGATES)) -> r = CANCEL_DELEGATES
	:: !ABANDONED(w) && (KINDS & (1<<ASK_AMONG)) -> r = ASK_AMONG
	:: ABANDONED(w) || (KINDS & (1<<CANCEL_SELF)) -> r = CANCEL_SELF
	fi;
	if
	:: pointless -> requests++; r = 0; to = 0; runs[w] = 0; break
	:: else
	fi
}

/* ghost: the grammar of a life, for a hook that begins before it is abandoned */
inline begins(w) {
	if
	:: !ABANDONED(w) ->
		resume(w);
		assert(!lost[n] && !disabled[n] && (!broken[n] || hook[w] == CONSTRUCT));
		assert(INC_OF(p) == INC(n, inc[n]) || hook[w] == CONSTRUCT);
		assert(!no_more_hooks || size[w] > 1);	/* the rest of a batch may have been handed over before */
		assert(!dead[item_box[ITEM(w, i)]] && (!fallen[INC_OF(p)] || hook[w] == CONSTRUCT || meddled));
		assert(ending[w] == 0);	/* nobody is asked after a yes or a failure */
		begun[w] = begun[w] | (1 << i);
		if
		:: hook[w] == CONSTRUCT -> assert(believes[INC(n, inc[n])] == NEW); believes[INC(n, inc[n])] = MADE
		:: hook[w] == INIT -> assert(believes[INC_OF(p)] == MADE); believes[INC_OF(p)] = OUT
		:: hook[w] == ENTERED -> assert(believes[INC_OF(p)] == OUT); believes[INC_OF(p)] = IN
		:: hook[w] == MODIFY -> assert(believes[INC_OF(p)] == OUT)
		:: hook[w] == WANTS -> assert(believes[INC_OF(p)] == IN || (meddled && believes[INC_OF(p)] == OUT))	/* finding CANCELS */
		:: hook[w] == ACTIVATED -> assert(believes[INC_OF(p)] == IN); believes[INC_OF(p)] = ACTIVE
		:: hook[w] == UPDATE -> assert(believes[INC_OF(p)] >= IN); assert(!got[n]); got[n] = 1
		:: hook[w] == DEACTIVATED -> assert(believes[INC_OF(p)] == ACTIVE); believes[INC_OF(p)] = IN
		:: hook[w] == LEFT -> assert(believes[INC_OF(p)] == IN); believes[INC_OF(p)] = OUT
		fi
	:: else
	fi
}

/* ---- what the watchdog and the engine do -------------------------------------------------------------------------------- */

#define hungs()	(hung[0] || hung[1] || hung[2] || hung[3] || hung[NW-2] || hung[NW-1])

/* A look that cannot give any hook up changes nothing: the timer fires only while one could. */
#define LOOKS	(hungs() || (overruns > 0 && innermost > 0 && FRAIL_NOW(innermost-1)))

/* A hook that does not hang may be given up too, while there is an overrun to spend. */
inline judge(w) {
	if
	:: INDEX(s) >= size[w]
	:: INDEX(s) < size[w] && hung[w] -> gives_up = 1
	:: INDEX(s) < size[w] && !hung[w]
	:: INDEX(s) < size[w] && !hung[w] && overruns > 0 && FRAIL_NOW(w) -> overruns--; gives_up = 1
	fi
}

/* s is the place of n on the stack */
inline index(n) {
	s = 0;
	do :: s < height && layers[s] != n -> s++ :: else -> break od;
	assert(s < height)
}

/* ghost: a request that takes effect comes from the present activation of a live incarnation, and is not abandoned */
inline effective() {
	assert(!lost[n] && !broken[n]);
	assert(INC_OF(p) == INC(n, inc[n]));
	assert(!ABANDONED(j));
	assert(where[n] == ACTIVE);
	assert(ep == 255 || ep == epoch[n])
}

/* ghost: Since runs was looked at, the hook may have ended, if a goroutine of the author's asks beside it. */
inline accepts() {
	if :: ep == 255 -> meddled = 1 :: else fi;
	assert(ep == 255 || RUNS(j, p));
	assert(!ABANDONED(j) && (ep == 255 || (INC_OF(p) == INC(n, inc[n]) && !dead[INC(n, mailbox[n])] || lost[n])))
}

/* Stack.settle: those before item x of a poll said no, and it is the turn of x. A ghost knows that they were asked, or lost. */
inline settle(w, x) {
	do
	:: settled[w] < x ->
		q = CELL_OF(item[ITEM(w, settled[w])]);
		assert((begun[w] & (1 << settled[w])) || lost[q] || meddled);
		answering[q] = 0;
		asked[q] = now;
		said[q] = 0;
		settled[w]++
	:: else -> q = 0; break
	od;
	answering[CELL_OF(item[ITEM(w, x)])] = 1
}

/* Server.Serve: what a request of a live incarnation leads to. Engine.answering comes first. */
inline requested() {
	if :: poll[w] && RUNS(w, p) -> settle(w, INDEX(state[w])); fell = losses :: else fi;
	if
	:: r == ASK -> CALL(Ask(to, l+1))
	:: r == ASK_AMONG -> CALL(Poll(n, l+1))
	:: r == DELEGATE ->
		if
		:: questions > 0 || where[n] != ACTIVE || layers[height-1] != n || !LISTS(n, to) || where[to] == ACTIVE ||
			disabled[to] || broken[to] || asked[to] != now || !said[to]
		:: else -> effective(); CALL(Push(to, l+1))
		fi
	:: (r == CANCEL_DELEGATES || r == CANCEL_SELF) ->
		if
		:: questions > 0 || where[n] != ACTIVE
		:: else ->
			effective();
			index(n);
			if :: r == CANCEL_DELEGATES -> s++ :: else fi;
			CALL(PopTo(s, l+1));
			s = 0
		fi
	fi;
#ifndef M_NO_ALONE
	if :: poll[w] && losses != fell -> alone[w] = 1 :: else fi;
#else
	if :: poll[w] && losses != fell -> ending[w] = INDEX(state[w])+1 :: else fi;	/* ghost: it should be the last */
#endif
	fell = 0
}
