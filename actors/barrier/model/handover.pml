/* The watchdog, and the engine as it hands a job over and waits: actors/barrier/barrier.go, watchdog.go. */

/* ---- watchdog ------------------------------------------------------------------------------------------------------- */

/* The timer fires only while a look changes anything. Where it finds no room, ring sets another timer, which may end in a later
 * tick. */
proctype Timer() {
end:
	do
	:: atomic { armed && LOOKS -> armed = 0;
		if
		:: nfull(signals) -> signals!peek,0,0,0,0,0
		:: full(signals) ->
#ifdef M_DROP_LOOK
			skip
#else
			late = 1
#endif
		fi }
	:: atomic { late && LOOKS && nfull(signals) -> late = 0; signals!peek,0,0,0,0,0 }
	od
}

/* look: s is the word that the watchdog sees; gives_up says whether it means to abandon the worker. */
inline look(w) {
#ifndef M_NO_REARM
	armed = 1;
#endif
	s = state[w];
	LOG(LOOKS_AT, w, s)
	judge(w)
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
		LOG(GIVES_UP, w, 0)
		overran = 1; refused = 0
	:: else -> LOG(MISSES, w, 0) skip
	fi;
	s = 0
}

/* ---- engine --------------------------------------------------------------------------------------------------------- */

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
		poll[w] = 0; alone[w] = 0; last[w] = 0; begun[w] = 0; ending[w] = 0;
#ifndef TRACE
		settled[w] = 0;
#endif
		idle[w] = 1
	:: else
	fi
}

#ifdef M_NO_KILL
#define discard(box)	skip
#else
#define discard(box)	dead[box] = 1
#endif

/* syncFailures and answer */
inline serve() {
	n = CELL_OF(p);
	accepts();
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
	if :: lost[n] :: else -> requested() fi;
	assert(answers[p] == 0);
#ifdef M_NO_UNWIND
	answers[p] = GO
#else
	LOG(ANSWERS, p, (lost[n] -> UNWIND : GO))
	if :: lost[n] -> answers[p] = UNWIND :: else -> answers[p] = GO fi
#endif
}

/* What the engine learns when HandOver returns, and what becomes of the worker: Barrier.Run, Ask, and Batch. */
inline learn(w) {
	q = 0;
	do
	:: q < size[w] ->
		if
		:: OF_BEHAVIOR(w) && ((q == INDEX(state[w]) && overran) ||
				(q < INDEX(state[w]) && (size[w] == 1 || poll[w] || HAS_FAILURES(w)) && err[ITEM(w, q)] != FINE)) ->
			lost[CELL_OF(item[ITEM(w, q)])] = 1
		:: else
		fi;
		if :: q == INDEX(state[w]) && overran -> discard(item_box[ITEM(w, q)]) :: else fi;
		q++
	:: else -> q = 0; break
	od
}

#ifdef M_BLAME_OUTER
#define accused	((before > 0 -> before-1 : w))
#else
#define accused	w
#endif

/* handOver: hand the job over and wait, answering requests, until it is done or given up. Result: overran. */
proctype HandOver(byte w; byte l) {
	byte s, j, p, r, to, ep, n, before;
	byte fell;
	bit gives_up, accepted;
	mtype kind;
	atomic {
		handovers++;
		before = innermost;
		if
		:: EXHAUSTED ->
			LOG(LEAVES_OUT, w, 0)
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
		:: kind == peek ->
			kind = 0;
			look(accused)
		:: kind == done ->
			LOG(HEARS, j, 0)
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
			:: NOT_ITS_HOOK -> LOG(REFUSES, p, 0) assert(answers[p] == 0); answers[p] = STALE; j = 0; p = 0; r = 0; to = 0; ep = 0
			:: else -> LOG(SERVES, p, 0) accepted = 1
			fi
		fi }
	od;
over:
	atomic {
		handovers--;
		innermost = before
	}
}
