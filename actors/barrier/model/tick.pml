/* The phases of a tick and the supervisor: behaviors/stack/walk.go, actors/supervisor.go. Level 0 of the engine. */

#define l 0

/* the in-scope pass: Stack.Scope, host.Batch, Barrier.Batch */
inline scope() {
	atomic {
		batch = 0; y = 0;
		do
		:: y < NB ->
			if
			:: where[y] >= IN && updated[y] != now ->
				assert(where[y] == IN);
				updated[y] = now;
				if :: !broken[y] && !disabled[y] -> batch = batch | (1 << y); depth[y]++ :: else fi
			:: else
			fi;
			y++
		:: else -> y = 0; break
		od;
		all = batch
	};
	do
	:: batch != 0 ->
		atomic {
			take(w);
			hook[w] = UPDATE;
			y = 0;
			do
			:: y < NB ->
				if :: batch & (1 << y) -> add(w, y, 0) :: else fi;
				y++
			:: else -> y = 0; p = 0; break
			od
		};
		CALL(HandOver(w, 1));
		atomic {
			learn(w);
			y = 0;
			do
			:: y < size[w] ->
				p = item[ITEM(w, y)];
				if
				:: y < INDEX(state[w]) ->
					if :: HAS_FAILURES(w) && err[ITEM(w, y)] == PANIC -> upsets++; bad = bad | (1 << CELL_OF(p)) :: else fi;
					batch = batch & ~(1 << CELL_OF(p))
				:: y == INDEX(state[w]) ->
					assert(overran);
					upsets++;
					bad = bad | (1 << CELL_OF(p));
					batch = batch & ~(1 << CELL_OF(p))
				:: else
				fi;
				y++
			:: else -> y = 0; p = 0; break
			od;
			assert(overran || batch == 0);
			release(w);
#ifdef M_DROP_REST
			batch = 0;
#endif
			w = 0
		}
	:: else -> break
	od;
	atomic {
		y = 0;
		do
		:: y < NB ->
			if :: all & (1 << y) -> depth[y]-- :: else fi;
			if :: bad & (1 << y) -> assert(where[y] != ACTIVE); broken[y] = 1 :: else fi;
			assert(where[y] < IN || broken[y] || disabled[y] || got[y]);	/* ghost: one Update for everything alive */
			y++
		:: else -> y = 0; all = 0; bad = 0; break
		od
	}
}

inline leave_root() {
	started = 0;
	count[base]--;
	if :: count[base] == 0 -> where[base] = OUT; CALL(Call(base, LEFT, 1)) :: else fi
}

/* Stack.Repair, host.Replace, Barrier.Fresh */
inline repair() {
	atomic { if :: height == 0 && started -> leave_root() :: else fi };
	y = 0;
	do
	:: y < NB && broken[y] -> atomic {
		epoch[y]++;
		inc[y]++;
		depth[y] = 0;
		lost[y] = 0;
		if :: dead[INC(y, mailbox[y])] -> mailbox[y]++ :: else fi;
		x = 0;	/* ghost: no zombie is in the actor of the fresh incarnation */
		do
		:: x < NW -> assert(!ABANDONED(x) || gone[x] || item_box[ITEM(x, INDEX(state[x]))] != INC(y, mailbox[y])); x++
		:: else -> x = 0; break
		od;
		take(w);
		hook[w] = CONSTRUCT;
		add(w, y, 0) };
		CALL(HandOver(w, 1));
		atomic {
			broken[y] = 0;
			learn(w);
			if
			:: overran -> disabled[y] = 1
			:: !overran && err[ITEM(w, 0)] != FINE -> disabled[y] = 1
			:: else
			fi;
			release(w);
			w = 0; p = 0;
			if
			:: !disabled[y] ->
				fresh[y] = 1;
				CALL(Call(y, INIT, 1));
				CALL(Call(y, MODIFY, 1));
				fresh[y] = 0;
				if :: count[y] > 0 && !broken[y] -> CALL(Call(y, ENTERED, 1)) :: else fi
			:: else
			fi;
#ifdef M_REPAIR_ONE
			y = NB
#else
			y = 0
#endif
		}
	:: y < NB && !broken[y] -> y++
	:: else -> y = 0; break
	od
}

/* Engine.swap: Stack.Withdraw, Barrier.Retire, Barrier.Fresh with an instance that is ready, Stack.Enroll. The behavior is a leaf and no base. */
inline swap() {
	atomic {
		if
		:: swaps > 0 ->
			swaps--;
			y = NB-1;
#ifndef M_SWAP_ACTIVE
			if
			:: where[y] == ACTIVE ->
				x = 0;
				do :: layers[x] != y -> x++ :: else -> break od;
				CALL(PopTo(x, 1));
				x = 0
			:: else
			fi;
#endif
			fresh[y] = 1;
#ifndef M_SWAP_IN_SCOPE
			if :: count[y] > 0 -> CALL(Call(y, LEFT, 1)) :: else fi;
#endif
			assert(lost[y] || broken[y] || disabled[y] || believes[INC(y, inc[y])] == OUT);	/* ghost: a live incarnation left */
			broken[y] = 0;
			disabled[y] = 0;
#ifndef M_SWAP_ACTOR
			dead[INC(y, mailbox[y])] = 1;	/* stopped or discarded */
			mailbox[y]++;
#endif
			epoch[y]++;
			inc[y]++;
			depth[y] = 0;
			lost[y] = 0;
			x = 0;	/* ghost: no zombie is in the actor of the fresh incarnation */
			do
			:: x < NW -> assert(!ABANDONED(x) || gone[x] || item_box[ITEM(x, INDEX(state[x]))] != INC(y, mailbox[y])); x++
			:: else -> x = 0; break
			od;
			believes[INC(y, inc[y])] = MADE;
			where[y] = (count[y] > 0 -> IN : OUT);
			CALL(Call(y, INIT, 1));
			CALL(Call(y, MODIFY, 1));
			fresh[y] = 0;
			if :: count[y] > 0 && !broken[y] -> CALL(Call(y, ENTERED, 1)) :: else fi;
			y = 0
		:: true
		fi
	}
}

inline begin() {
	atomic {
		if
		:: pending > 0 -> CALL(PopTo(0, 1)); if :: started -> leave_root() :: else fi; base = pending-1; pending = 0
		:: else
		fi;
		if
		:: !started ->
			started = 1;
			count[base]++;
			if :: count[base] == 1 -> where[base] = IN; CALL(Call(base, ENTERED, 1)) :: else fi;
			if
			:: broken[base] || disabled[base] -> skip
			:: else ->
				CALL(Ask(base, 1));
				if :: broken[base] -> skip :: else -> CALL(Push(base, 1)) fi
			fi
		:: else
		fi
	}
}

inline walk() {
	atomic {
		y = 0;
		do
		:: y < height ->
			assert(updated[layers[y]] != now);	/* T-11 */
			updated[layers[y]] = now;
			CALL(Call(layers[y], UPDATE, 1));
			y++
		:: else -> y = 0; break
		od
	}
}

/* what holds between two ticks */
inline whole() {
	assert(handovers == 0 && questions == 0);
	assert(!started || height > 0);
	assert(height == 0 || layers[0] == base);
	y = 0;
	do
	:: y < NB ->
		assert(depth[y] == 0 && queued[y] == 0 && !answering[y]);
		assert(!broken[y] && !lost[y]);
		assert(disabled[y] || (believes[INC(y, inc[y])] == where[y]));
		x = 0; w = (started && y == base); p = 0;
		do
		:: x < height ->
			if :: LISTS(layers[x], y) -> w++ :: else fi;
			if :: layers[x] == y -> p++; assert(x == 0 || LISTS(layers[x-1], y)) :: else fi;
			x++
		:: else -> break
		od;
		assert(count[y] == w && p == (where[y] == ACTIVE) && (w > 0) == (where[y] >= IN));
		y++
	:: else -> x = 0; y = 0; w = 0; p = 0; break
	od;
	do
	:: y < NW -> assert(idle[y] || ABANDONED(y)); got[y % NB] = 0; y++
	:: else -> y = 0; break
	od
}

proctype Engine() {
	byte y, x, w, p, batch, all, bad;
end:
	do
	:: atomic { inbox?tick -> if :: failed -> busy = 0; goto end :: else fi };
		atomic {
			assert(!ticking);
			ticking = 1;
			now++;
			requests = REQUESTS;
			if :: resetWanted -> resetWanted = 0; pending = NB-1+1 :: else fi
		};
		swap();
		begin();
		walk();
		scope();
		repair();
		atomic {
			if :: height == 0 && base != 0 -> pending = 1 :: else fi;	/* Engine.recover */
			polling = 0; armed = 0;					/* EndTick */
			requests = 0
		};
		atomic {
			if
			:: EXHAUSTED -> failed = 1
			:: else -> assert(!leftOut); whole()
			fi;
			ticking = 0;
			busy = 0
		}
	:: atomic { inbox?drain -> if :: failed :: else -> requests = REQUESTS; CALL(PopTo(0, 1)) fi };
		atomic { if :: started && !failed -> leave_root() :: else fi };
		atomic {
			polling = 0; armed = 0;
			requests = 0;
			y = 0;
			do	/* ghost: every live behavior has left */
			:: y < NB -> assert(failed || where[y] <= OUT && (lost[y] || disabled[y] || believes[INC(y, inc[y])] == OUT)); y++
			:: else -> y = 0; break
			od;
			ended = 1
		};
		do	/* Close: requests that came too late */
		:: atomic { signals?call,_,p,_,_,_ -> assert(answers[p] == 0); answers[p] = STALE; p = 0 }
		:: atomic { signals?peek,_,_,_,_,_ }
		:: atomic { empty(signals) -> break }
		od;
		break
	od;
end_stopped:
	false
}

#undef l
