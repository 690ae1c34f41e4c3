/* One hook, and what it leads to: behaviors/engine/host.go, behaviors/stack/request.go. */

inline take(w) {
	w = 0;
	do :: idle[w] -> break :: !idle[w] -> w++; assert(w < NW) od;
	idle[w] = 0
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

#ifdef M_NO_FRESH
#define FRESH(n)	false
#else
#define FRESH(n)	fresh[n]
#endif

/* Ask: the answer of n to who asks. Every other request is refused until the outermost question is answered. */
proctype Ask(byte n; byte l) {
	atomic {
		if
		:: where[n] != IN || FRESH(n) || disabled[n] || broken[n] || answering[n] -> answer = 0
		:: else ->
			questions++;
			answering[n] = 1;
			CALL(Call(n, WANTS, l+1));
			answering[n] = 0;
			questions--;
			asked[n] = now;
			answer = answer && !broken[n];
			said[n] = answer
		fi
	}
}

#define MAY_BE_ASKED(n)	(where[n] == IN && !FRESH(n) && !disabled[n] && !broken[n] && !answering[n])

/* Stack.Poll: all that by lists, in order, until one says yes. Those who may be asked go to one worker together, as far as nobody
 * among them would be refused. */
proctype Poll(byte by; byte l) {
	byte w, p, x, y, s;
	bit yesno;
	atomic {
		questions++;
		y = by+1;
		do
		:: y < NB && (!LISTS(by, y) || !MAY_BE_ASKED(y) || lost[y]) -> y++
		:: y < NB && LISTS(by, y) && MAY_BE_ASKED(y) && !lost[y] ->
			take(w);
			hook[w] = WANTS;
			poll[w] = 1;
			answering[y] = 1;
			s = y;
			do
			:: y < NB && (!LISTS(by, y) || (lost[y] && MAY_BE_ASKED(y))) -> y++
			:: y < NB && LISTS(by, y) && !lost[y] && (y == s || (MAY_BE_ASKED(y) && !queued[y])) ->
				add(w, y, depth[y]);
				depth[y]++;
				queued[y] = 1;
				y++
			:: else -> break
			od;
			p = 0; s = 0;
			CALL(HandOver(w, l+1));
			learn(w);
			if
			:: overran -> s = INDEX(state[w])
			:: else ->
#ifdef M_ALL_ASKED
				s = size[w]-1;
#else
				s = last[w];
#endif
				yesno = yes[w]
			fi;
			settle(w, s);
			assert(overran || (begun[w] >> (s+1)) == 0);	/* ghost: nobody after the last was asked */
			assert(!(refused && begun[w]));
			y = 0;
			do
			:: y < size[w] -> x = CELL_OF(item[ITEM(w, y)]); depth[x]--; queued[x] = 0; y++
			:: else -> break
			od;
			y = CELL_OF(item[ITEM(w, s)]);
			answering[y] = 0;
			x = (overran -> PANIC : err[ITEM(w, s)]);
			if :: x == PANIC -> losses++; broken[y] = 1 :: else fi;
			yesno = yesno && x == FINE;
			asked[y] = now;
			said[y] = yesno && !broken[y];
			release(w);
			w = 0; x = 0; s = 0;
			if :: yesno -> break :: else -> y++ fi
		:: else -> break
		od;
		questions--
	}
}

/* stack.call and host.Call and Barrier.Run: one hook. A failure pops its layer and everything above. */
proctype Call(byte n; byte h; byte l) {
	byte w, p, x, s;
	bit yesno;
	atomic {
		answer = 0;
		if
		:: broken[n] || disabled[n] || lost[n]
		:: else ->
			take(w);
			hook[w] = h;
			add(w, n, depth[n]);
			depth[n]++;
			CALL(HandOver(w, l+1));
			depth[n]--;
			learn(w);
			if
			:: overran -> x = PANIC
			:: else -> x = err[ITEM(w, 0)]; yesno = yes[w] && x == FINE
			fi;
			release(w);
			p = 0; w = 0;
			if
			:: x == PANIC ->
				losses++;
				broken[n] = 1;
				if
				:: where[n] == ACTIVE -> index(n); CALL(PopTo(s, l+1))
				:: else
				fi
			:: else
			fi;
			answer = yesno
		fi
	}
}

/* L-7: the layer, the scope of its delegates, the activation */
proctype Push(byte n; byte l) {
	byte x;
	atomic {
		layers[height] = n;
		height++;
		where[n] = ACTIVE;
		epoch[n]++;
		x = n+1;
		do
		:: x < NB && LISTS(n, x) ->
			count[x]++;
			if :: count[x] == 1 -> where[x] = IN; CALL(Call(x, ENTERED, l+1)) :: else fi;
			x++
		:: x < NB && !LISTS(n, x) -> x++
		:: else -> break
		od;
		CALL(Call(n, ACTIVATED, l+1))
	}
}

/* L-11, L-13: from the top, until d layers are left */
proctype PopTo(byte d; byte l) {
	byte x, n;
	atomic {
		do
		:: height > d ->
			n = layers[height-1];
			x = n+1;
			do
			:: x < NB && LISTS(n, x) ->
				count[x]--;
				if :: count[x] == 0 -> where[x] = OUT; CALL(Call(x, LEFT, l+1)) :: else fi;
				x++
			:: x < NB && !LISTS(n, x) -> x++
			:: else -> break
			od;
#ifndef M_LATE_STATE
			where[n] = IN;
#endif
#ifndef M_NO_DEACTIVATED
			CALL(Call(n, DEACTIVATED, l+1));
#endif
			where[n] = IN;
			height--;
			layers[height] = 0
		:: else -> break
		od
	}
}
