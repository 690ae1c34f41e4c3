/* One hook, and what it leads to: behaviors/engine/host.go, behaviors/stack/request.go. */

#ifdef M_NO_FRESH
#define FRESH(n)	false
#else
#define FRESH(n)	fresh[n]
#endif

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
			if
			:: overran -> discard(n); x = PANIC
			:: else -> x = err[ITEM(w, 0)]; yesno = yes[w] && x == FINE
			fi;
			release(w);
			p = 0; w = 0;
			if
			:: x == PANIC ->
				lost[n] = 1;
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
