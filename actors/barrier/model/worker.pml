/* The goroutines beside the engine: a hook and its requests, the worker that runs it, a meddling goroutine. */

/* ---- a hook's request: hookPort.Do -------------------------------------------------------------------------------- */

/* A goroutine that asks after the end waits for ever. v is the verdict. me is the worker, or NW for a goroutine that is none. box is the port's mailbox. */
inline Do(p, r, to, ep, me, box) {
	TELL(BY(me)+CALLS, p, 0) j = innermost;
	if
	:: j == 0 -> LOG(BY(me)+GETS_NO, p, 0) v = STALE
	:: else ->
		if
		:: atomic { ABANDONED(j-1) -> LOG(BY(me)+GETS_NO, p, 0) v = STALE }
		:: atomic { else -> skip };
			if
			:: atomic { dead[box] -> LOG(BY(me)+GETS_NO, p, 0) v = STALE }
			:: atomic { else -> skip };
				if
#ifdef M_NO_ASKING
				:: true ->
#else
				:: atomic { asking[p] == 0 -> asking[p] = 1 };
#endif
end_send:				TELL(BY(me)+ASKS, p, 0) atomic { signals!call,j-1,p,r,to,ep; if :: me < NW -> runs[me] = 0 :: else fi };
end_wait:				atomic { answers[p] != 0 -> v = answers[p]; answers[p] = 0;
						LOG(BY(me)+GOES_ON, p, v) if :: me < NW -> resume(me) :: else fi };
					asking[p] = 0
#ifndef M_NO_ASKING
				:: atomic { else -> LOG(BY(me)+GETS_NO, p, 0) v = STALE }
#endif
				fi
			fi
		fi
	fi;
	j = 0
}

/* ghost: one hook runs at a time, unless the others are abandoned, or the author's goroutine made a request beside its hook */
inline resume(me) {
	if
	:: !ABANDONED(me) ->
		k = 0;
		do
		:: k < NW -> assert(k == me || !runs[k] || ABANDONED(k) || meddled); k++
		:: else -> k = 0; break
		od;
		runs[me] = 1
	:: else
	fi
}

/* ghost: of worker and watchdog exactly one wins each delivery, and the watchdog none that will not be made */
inline wins(w, i) {
	assert(!(won[w] & (1<<(i))));
	assert(ending[w] == 0 || i < ending[w]);
	won[w] = won[w] | (1<<(i))
}

/* ---- worker --------------------------------------------------------------------------------------------------------- */

/* job.after: an item of a poll makes the others needless if it says yes, fails, or shall be the last. */
#ifdef M_ASKS_ON
#define ENDS_JOB	(poll[w] && yes[w])
#else
#define ENDS_JOB	(poll[w] && (e != FINE || yes[w] || alone[w]))
#endif
#define AFTER	(ENDS_JOB -> size[w] : i+1)
#ifdef M_STEP_ONE
#define MOVE	state[w] = ((i+1)<<2) | (b<<1); i = AFTER
#else
#define MOVE	i = AFTER; state[w] = (i<<2) | (b<<1)
#endif

proctype Worker(byte w) {
	byte i, p, n, e, v, j, k, ep, r, to;
	bit b;		/* the has-failures bit of the state that it expects */
	bit exits;	/* the hook ended its goroutine: another one has the rest of the job */
#ifdef TRACE
	bit unwound;
#endif
end:
	do
	:: atomic { go[w] -> go[w] = 0; i = 0; b = 0 };
next:		do
		:: atomic { i < size[w] -> p = item[ITEM(w, i)]; n = CELL_OF(p); e = FINE };
			if
#ifndef M_NO_LOST
			:: atomic { lost[n] && hook[w] != CONSTRUCT -> LOG(SKIPS, w, i) skip }
#endif
			:: atomic { dead[item_box[ITEM(w, i)]] -> LOG(BEGINS, w, i) LOG(RETURNS, w, 0) skip }	/* the mailbox drops it */
#ifdef M_STOP_TAKEN
			:: atomic { halted[item_box[ITEM(w, i)]] -> skip }
#endif
			:: atomic { else -> LOG(BEGINS, w, i) ep = EPOCH(n); begins(w) };
				do
				:: atomic { MAY_ASK(w) -> choose(w) };
					Do(p, r, to, ep, w, item_box[ITEM(w, i)]);
					atomic { r = 0; to = 0;
					if
#ifdef TRACE
					:: v == UNWIND -> unwound = 1; v = 0	/* it may recover, and ask in deferred functions */
#else
					:: v == UNWIND -> e = REVOKED; err[ITEM(w, i)] = e; runs[w] = 0; v = 0; break
#endif
					:: else -> assert(v != GO || ABANDONED(w) || !lost[n]); v = 0
					fi }
				:: atomic { hook[w] == WANTS && MAY_RETURN(w) -> LOG(RETURNS, w, 1) yes[w] = 1; runs[w] = 0; break }
				:: atomic { MAY_RETURN(w) -> LOG(RETURNS, w, 0) runs[w] = 0; break }
				:: atomic { MAY_PANIC(w) -> LOG(FAILS, w, PANIC)
					panics--; e = PANIC; if :: hook[w] != CONSTRUCT -> fallen[INC_OF(p)] = 1 :: else fi; err[ITEM(w, i)] = e; runs[w] = 0; break }
				:: atomic { MAY_EXIT(w) -> LOG(FAILS, w, EXIT)
					goexits--; e = PANIC; exits = 1; if :: hook[w] != CONSTRUCT && !ABANDONED(w) -> fallen[INC_OF(p)] = 1 :: else fi; err[ITEM(w, i)] = e; runs[w] = 0; break }
#ifdef TRACE
				:: atomic { unwound && MAY_REVOKE(w) -> LOG(FAILS, w, REVOKED) e = REVOKED; err[ITEM(w, i)] = e; runs[w] = 0; break }
#endif
#ifndef TRACE
				:: atomic { MAY_HANG(w) -> overruns--; hung[w] = 1 };
					atomic { ABANDONED(w) -> hung[w] = 0; if :: true :: true -> goto forever fi }
#endif
				od
			fi;
#ifdef M_WORKER_STORE
			atomic { wins(w, i); state[w] = (i+1)<<2; i++ }
#else
#ifdef TRACE
			unwound = 0;
#endif
			if
			:: atomic { state[w] == ((i<<2) | (b<<1)) -> wins(w, i);
				if :: poll[w] && (e != FINE || yes[w] || alone[w]) -> ending[w] = i+1 :: else fi;	/* ghost */
				last[w] = i;
#ifndef M_NO_FAILURE_BIT
				b = b || e != FINE;
#endif
				MOVE;
				LOG(MOVES, w, (state[w] & 254))
				if :: exits -> goto rest :: else fi }
			:: atomic { else -> if :: exits -> goto rest :: else -> goto given_up fi }
			fi
#endif
#ifdef TRACE
		:: atomic { else -> p = 0; n = 0; e = 0; ep = 0; b = 0 }; TELL(REPORTS, w, 0) signals!done,w,0,0,0,0; break
#else
		:: atomic { else -> p = 0; n = 0; e = 0; ep = 0; b = 0; signals!done,w,0,0,0,0; break }
#endif
		od
	od;
	/* coroutine.carryOn: the goroutine that takes the place of the one that a hook ended */
rest:
	atomic { exits = 0; e = FINE;
#ifdef M_EXIT_DIES
		goto forever;
#endif
		if
		:: ABANDONED(w) -> goto given_up
		:: else ->
			i = INDEX(state[w]);
#ifdef M_EXIT_AGAIN
			i = 0;
#endif
			b = HAS_FAILURES(w) > 0;
			goto next
		fi };
given_up:
	TELL(LEAVES, w, 0) atomic { gone[w] = 1; zombies-- };
forever:
end_gone:
	false
}

#ifndef TRACE
/* A goroutine that a hook of MEDDLER started, and that goes on asking in its name whenever it likes. */
proctype Foreign() {
	byte v, j, r, k;
	byte p = PORT(MEDDLER, 0, 0);
end:
	do
	:: atomic { foreign > 0 -> foreign--;
#ifdef F_CANCELS
		r = CANCEL_SELF };
#else
		r = ASK };
#endif
		Do(p, r, NB-1, 255, NW, INC(MEDDLER, 0));
		atomic {
#ifndef M_UNWIND_ANYBODY
			if :: v == UNWIND -> v = STALE :: else fi;	/* Do looks whose stack it is on */
#endif
			assert(v != UNWIND);	/* it would panic where nothing recovers */
			v = 0; r = 0
		}
	od
}
#endif
