/* The watchdog, and the engine as it hands a job over and waits: actors/barrier/barrier.go, watchdog.go. */

/* ---- watchdog ------------------------------------------------------------------------------------------------------- */

#define hungs()	(hung[0] || hung[1] || hung[2] || hung[3] || hung[NW-2] || hung[NW-1])

/* A look that cannot give any hook up changes nothing: the timer fires only while one could. Where it finds no room, ring sets
 * another timer, which may end in a later tick. */
proctype Timer() {
end:
	do
	:: atomic { armed && LOOKS -> armed = 0;
		if
		:: nfull(signals) -> signals!poll,0,0,0,0,0
		:: full(signals) ->
#ifdef M_DROP_LOOK
			skip
#else
			late = 1
#endif
		fi }
	:: atomic { late && LOOKS && nfull(signals) -> late = 0; signals!poll,0,0,0,0,0 }
	od
}

/* look: s is the word that the watchdog sees; gives_up says whether it means to abandon the worker. A hook that does not hang
 * may be given up too, while there is an overrun to spend. */
inline look(w) {
#ifndef M_NO_REARM
	armed = 1;
#endif
	s = state[w];
	if
	:: INDEX(s) >= size[w]
	:: INDEX(s) < size[w] && hung[w] -> gives_up = 1
	:: INDEX(s) < size[w] && !hung[w]
	:: INDEX(s) < size[w] && !hung[w] && overruns > 0 && FRAIL_NOW(w) -> overruns--; gives_up = 1
	fi
}

/* abandon is the compare-and-swap after that look. */
inline abandon(w) {
	gives_up = 0;
	if
#ifdef M_NO_CAS
	:: true ->
#else
	:: state[w] == s ->
#endif
		state[w] = s | 1;
		wins(w, INDEX(s));
		runs[w] = 0;
		zombies++;
		overran = 1; refused = 0
	:: else
	fi;
	s = 0
}

/* ---- engine --------------------------------------------------------------------------------------------------------- */

/* The engine's goroutine is a pile of processes of which the topmost runs: a call in the code is a new process on top, at
 * level l. */
#ifdef LIVE
#define CLAIM 1
#else
#define CLAIM 0
#endif
/* Processes that never end: the engine at level 0 is one of them, and spin counts the claim of a formula. */
#define OTHERS	(4 + NW + (RESETS > 0) + (FOREIGN > 0) + (STOPS > 0) + CLAIM)
#define CALL(p)	run p; (_nr_pr == OTHERS + l)

inline take(w) {
	w = 0;
	do :: idle[w] -> break :: !idle[w] -> w++; assert(w < NW) od;
	idle[w] = 0
}

/* release gives the worker of a finished job back, and of one that was never handed over; that of an abandoned one is never
 * used again. */
inline release(w) {
	if
#ifdef M_REUSE_WORKER
	:: true ->
#else
	:: !overran || refused ->
#endif
		q = 0;
		do
		:: q < size[w] -> item[ITEM(w, q)] = 0; item_box[ITEM(w, q)] = 0; err[ITEM(w, q)] = FINE; q++
		:: else -> q = 0; break
		od;
		hook[w] = 0; size[w] = 0; state[w] = 0; finished[w] = 0; won[w] = 0; yes[w] = 0;
		idle[w] = 1
	:: else
	fi
}

/* ghost: no other goroutine is in this frame */
inline add(w, n, d) {
	p = PORT(n, inc[n], d);
	assert(d < ND);
	assert(meddled || foreign < FOREIGN || (!asking[p] && answers[p] == 0));
	x = 0;
	do
	:: x < NW -> assert(!ABANDONED(x) || gone[x] || item[ITEM(x, INDEX(state[x]))] != p); x++
	:: else -> x = 0; break
	od;
	item[ITEM(w, size[w])] = p;
	item_box[ITEM(w, size[w])] = INC(n, mailbox[n]);
	err[ITEM(w, size[w])] = FINE;
	size[w]++
}

#ifdef M_NO_KILL
#define discard(n)	skip
#else
#define discard(n)	dead[INC(n, mailbox[n])] = 1
#endif

/* s is the place of n on the stack */
inline index(n) {
	s = 0;
	do :: s < height && layers[s] != n -> s++ :: else -> break od;
	assert(s < height)
}

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

/* ghost: a request that takes effect comes from the present activation of a live incarnation, and is not abandoned */
inline effective() {
	assert(!lost[n] && !broken[n]);
	assert(INC_OF(p) == INC(n, inc[n]));
	assert(!ABANDONED(j));
	assert(where[n] == ACTIVE);
	assert(ep == 255 || ep == epoch[n])
}

/* syncFailures and answer. Since runs was looked at, the hook may have ended, if a goroutine of the author's asks beside it. */
inline serve() {
	n = CELL_OF(p);
	if :: ep == 255 -> meddled = 1 :: else fi;
	assert(ep == 255 || RUNS(j, p));
	assert(!ABANDONED(j) && (ep == 255 || (INC_OF(p) == INC(n, inc[n]) && !dead[INC(n, mailbox[n])] || lost[n])));
#ifndef M_NO_SYNC
	if
	:: HAS_FAILURES(w) ->
		s = 0;
		do
		:: s < INDEX(state[w]) ->
			if :: err[ITEM(w, s)] != FINE -> lost[CELL_OF(item[ITEM(w, s)])] = 1 :: else fi;
			s++
		:: else -> s = 0; break
		od
	:: else
	fi;
#endif
	if
	:: lost[n]
	:: !lost[n] && r == ASK -> CALL(Ask(to, l+1))
	:: !lost[n] && r == DELEGATE ->
		if
		:: questions > 0 || where[n] != ACTIVE || layers[height-1] != n || !LISTS(n, to) || where[to] == ACTIVE ||
			disabled[to] || broken[to] || asked[to] != now || !said[to]
		:: else -> effective(); CALL(Push(to, l+1))
		fi
	:: !lost[n] && (r == CANCEL_DELEGATES || r == CANCEL_SELF) ->
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
	assert(answers[p] == 0);
#ifdef M_NO_UNWIND
	answers[p] = GO
#else
	if :: lost[n] -> answers[p] = UNWIND :: else -> answers[p] = GO fi
#endif
}

#ifdef M_BLAME_OUTER
#define accused	((before > 0 -> before-1 : w))
#else
#define accused	w
#endif

/* handOver: hand the job over and wait, answering requests, until it is done or given up. Result: overran. */
proctype HandOver(byte w; byte l) {
	byte s, j, p, r, to, ep, n, before;
	bit gives_up, accepted;
	mtype kind;
	atomic {
		handovers++;
		before = innermost;
		if
		:: EXHAUSTED ->
			no_more_hooks = 1; leftOut = 1;
			overran = 1; refused = 1;
			goto over
		:: else ->
			overran = 0; refused = 0;
			innermost = w+1;
			if :: !polling -> polling = 1; armed = 1 :: else fi;
			go[w] = 1
		fi
	};
	do
	:: atomic { finished[w] -> overran = 0; refused = 0; break }
	:: atomic { gives_up -> overran = 0; abandon(accused); if :: overran -> break :: else fi }
	:: atomic { accepted -> accepted = 0; serve(); j = 0; p = 0; r = 0; to = 0; ep = 0; n = 0 }
	:: atomic { !finished[w] && !gives_up && !accepted -> signals?kind,j,p,r,to,ep;
		if
		:: kind == poll ->
			kind = 0;
			look(accused)
		:: kind == done ->
			assert(!finished[j] && !ABANDONED(j));
#ifdef M_INNER_DONE
			if :: j == w -> finished[j] = 1 :: else fi;
#else
			finished[j] = 1;
#endif
			kind = 0; j = 0
		:: kind == call ->
			kind = 0;
			if
			:: NOT_ITS_HOOK -> assert(answers[p] == 0); answers[p] = STALE; j = 0; p = 0; r = 0; to = 0; ep = 0
			:: else -> accepted = 1
			fi
		fi }
	od;
over:
	atomic {
		handovers--;
		innermost = before
	}
}

/* Ask: the answer of n to who asks. Every other request is refused until the outermost question is answered. */
