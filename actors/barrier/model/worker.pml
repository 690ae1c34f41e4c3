/* The goroutines beside the engine: a hook and its requests, the worker that runs it, a meddling goroutine. */

/* ---- a hook's request: hookPort.Do -------------------------------------------------------------------------------- */

/* A goroutine that asks after the end waits for ever. v is the verdict. me is the worker, or NW for a goroutine that is none. box is the port's mailbox. */
inline Do(p, r, to, ep, me, box) {
	j = innermost;
	if
	:: j == 0 -> v = STALE
	:: else ->
		if
		:: atomic { ABANDONED(j-1) -> v = STALE }
		:: atomic { else -> skip };
			if
			:: atomic { dead[box] -> v = STALE }
			:: atomic { else -> skip };
				if
#ifdef M_NO_ASKING
				:: true ->
#else
				:: atomic { asking[p] == 0 -> asking[p] = 1 };
#endif
end_send:				atomic { signals!call,j-1,p,r,to,ep; if :: me < NW -> runs[me] = 0 :: else fi };
end_wait:				atomic { answers[p] != 0 -> v = answers[p]; answers[p] = 0;
						if :: me < NW -> resume(me) :: else fi };
					asking[p] = 0
#ifndef M_NO_ASKING
				:: atomic { else -> v = STALE }
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

/* ghost: of worker and watchdog exactly one wins each delivery */
inline wins(w, i) {
	assert(!(won[w] & (1<<(i))));
	won[w] = won[w] | (1<<(i))
}

/* ---- worker --------------------------------------------------------------------------------------------------------- */

/* ghost: the grammar of a life, for a hook that begins before it is abandoned */
inline begins(w) {
	if
	:: !ABANDONED(w) ->
		resume(w);
		assert(!lost[n] && !disabled[n] && (!broken[n] || hook[w] == CONSTRUCT));
		assert(INC_OF(p) == INC(n, inc[n]) || hook[w] == CONSTRUCT);
		assert(!no_more_hooks || size[w] > 1);	/* the rest of a batch may have been handed over before */
		assert(!dead[item_box[ITEM(w, i)]] && (!fallen[INC_OF(p)] || hook[w] == CONSTRUCT || meddled));
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

inline pick(to) {
	to = 0;
	do :: to < NB-1 -> to++ :: break od
}

/* A request of a hook that is not abandoned is left out where the stack would refuse it, whatever goroutine makes it: behaviors/stack
 * has tests of its refusals. */
#define pointless	(!ABANDONED(w) && ((r == ASK && where[to] != IN) || (r == DELEGATE && !said[to]) || \
			(r >= CANCEL_DELEGATES && where[n] != ACTIVE)))

proctype Worker(byte w) {
	byte i, p, n, e, v, j, k, ep, r, to;
	bit b;	/* the has-failures bit of the state that it expects */
end:
	do
	:: atomic { go[w] -> go[w] = 0; i = 0; b = 0 };
		do
		:: atomic { i < size[w] -> p = item[ITEM(w, i)]; n = CELL_OF(p); e = FINE };
			if
#ifndef M_NO_LOST
			:: atomic { lost[n] && hook[w] != CONSTRUCT -> skip }
#endif
			:: atomic { dead[item_box[ITEM(w, i)]] -> skip }
#ifdef M_STOP_TAKEN
			:: atomic { halted[item_box[ITEM(w, i)]] -> skip }
#endif
			:: atomic { else -> ep = epoch[n]; begins(w) };
				do
				:: atomic {
					(ABANDONED(w) && zombieRequests > 0 && hook[w] != CONSTRUCT) || (!ABANDONED(w) && requests > 0 && (ASKERS & (1<<hook[w]) & ~1)) ->
					if :: ABANDONED(w) -> zombieRequests-- :: else -> requests-- fi;
					to = n;
					if
					:: !ABANDONED(w) && (KINDS & (1<<ASK)) -> r = ASK; pick(to)
					:: !ABANDONED(w) && (KINDS & (1<<DELEGATE)) -> r = DELEGATE; pick(to)
					:: !ABANDONED(w) && (KINDS & (1<<CANCEL_DELEGATES)) -> r = CANCEL_DELEGATES
					:: ABANDONED(w) || (KINDS & (1<<CANCEL_SELF)) -> r = CANCEL_SELF
					fi;
					if
					:: pointless -> requests++; r = 0; to = 0; runs[w] = 0; break
					:: else
					fi };
					Do(p, r, to, ep, w, item_box[ITEM(w, i)]);
					atomic { r = 0; to = 0;
					if :: v == UNWIND -> e = REVOKED; err[ITEM(w, i)] = e; runs[w] = 0; v = 0; break
					:: else -> assert(v != GO || ABANDONED(w) || !lost[n]); v = 0
					fi }
				:: atomic { hook[w] == WANTS -> yes[w] = 1; runs[w] = 0; break }
				:: atomic { true -> runs[w] = 0; break }
				:: atomic { panics > 0 && !ABANDONED(w) && FRAIL_NOW(w) ->
					panics--; e = PANIC; if :: hook[w] != CONSTRUCT -> fallen[INC_OF(p)] = 1 :: else fi; err[ITEM(w, i)] = e; runs[w] = 0; break }
				:: atomic { overruns > 0 && !ABANDONED(w) && FRAIL_NOW(w) -> overruns--; hung[w] = 1 };
					atomic { ABANDONED(w) -> hung[w] = 0; if :: true :: true -> goto forever fi }
				od
			fi;
#ifdef M_WORKER_STORE
			atomic { wins(w, i); state[w] = (i+1)<<2; i++ }
#else
			if
			:: atomic { state[w] == ((i<<2) | (b<<1)) -> wins(w, i);
#ifndef M_NO_FAILURE_BIT
				b = b || e != FINE;
#endif
				state[w] = ((i+1)<<2) | (b<<1); i++ }
			:: atomic { else -> goto given_up }
			fi
#endif
		:: atomic { else -> p = 0; n = 0; e = 0; ep = 0; b = 0; signals!done,w,0,0,0,0; break }
		od
	od;
given_up:
	atomic { gone[w] = 1; zombies-- };
forever:
end_gone:
	false
}

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
