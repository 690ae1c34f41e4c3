/* The trace of a real barrier, accepted or refused: worker.pml and handover.pml as they are, with a trace in place of the robot.
 *
 * Each goroutine of the code tells its steps (actors/barrier/steps.go); each process of the model must find its next step in the trace. What
 * happens between two steps that a process tells is free: spin tries every order of it. The trace is accepted if one of
 * them leads to its end; else the first step that none of them reaches does not fit.
 *
 * The trace stands in the file that the variable TRACE names: a step a line, its name and up to five numbers. The verifier prints
 * "accepted", or "refused" and the number of the step.
 */

#define TRACE
#define assert(x) (x)	/* a step that breaks what the model asserts does not fit */

#ifndef NW
#define NW 16
#endif
#define NI 8		/* items of a job */
#define NB 64		/* incarnations, mailboxes; 0 is none */
#define NP 250		/* ports; 0 is none */
#define NG 1
#define MAXZ 32
#define EPOCH(n) 0
#define OF_BEHAVIOR(w)	(hook[w] != CONSTRUCT && hook[w] != STEP)
#define MEDDLERS 2	/* goroutines beside hooks */

/* steps; those of a meddler are told apart from those of a hook */
#define HANDS_OVER	1
#define ITEM_OF		2
#define HANDED		3
#define LEAVES_OUT	4
#define LOOKS_AT	5
#define GIVES_UP	6
#define MISSES		7
#define HEARS		8
#define REFUSES		9
#define SERVES		10
#define ANSWERS		11
#define ENDS_TICK	12
#define STARTS_WITH	13	/* zombies of a life before */
#define BEGINS		20
#define SKIPS		21
#define RETURNS		22
#define FAILS		23
#define MOVES		24
#define REPORTS		25
#define LEAVES		26
#define ASKS		30
#define GOES_ON		31
#define GETS_NO		32
#define CALLS		33
#define MEDDLING	10
#define BY(me)		(me < NW -> 0 : MEDDLING)

#define EXIT	3	/* FAILS: PANIC, REVOKED, or this */
/* kinds of jobs, in the place of hooks */
#define QUESTION	2	/* only here: a poll */
#define STEP		9	/* of an action */

/* the next step, that of each worker, and that of the engine */
byte e_kind, e_a, e_b, e_c, e_d;
byte next_of[NW];
byte next_of_engine;
short at;
bit done_with_it;

c_decl {
\#include <stdio.h>
\#include <stdlib.h>
\#include <string.h>
	struct event { int kind, n[5], worker; };
	static struct event *steps;
	static int length, furthest, verdict;
}

c_code {
	static const struct { const char *name; int kind; } names[] = {
		{"hands_over", 1}, {"item", 2}, {"handed", 3}, {"leaves_out", 4}, {"looks", 5}, {"gives_up", 6}, {"misses", 7}, {"hears", 8},
		{"refuses", 9}, {"serves", 10}, {"answers", 11}, {"ends_tick", 12}, {"starts_with", 13}, {"begins", 20}, {"skips", 21}, {"returns", 22},
		{"fails", 23}, {"moves", 24}, {"reports", 25}, {"leaves", 26}, {"asks", 30}, {"goes_on", 31}, {"gets_no", 32}, {"calls", 33},
		{"meddler_asks", 40}, {"meddler_goes_on", 41}, {"meddler_gets_no", 42}, {"meddler_calls", 43}, {0, 0}};

	static void report(void) {
		if (verdict) printf("accepted %d\n", length);
		else printf("refused %d\n", furthest + 1);
	}

	static void wrong(const char *what) { fprintf(stderr, "trace: %s\n", what); verdict = -1; _exit(3); }

	static void load(void) {
		char line[256], name[32];
		const char *file = getenv("TRACE");
		FILE *f = file ? fopen(file, "r") : 0;
		int room = 0, i;
		if (steps) return;
		if (!f) wrong("TRACE names no file");
		while (fgets(line, sizeof line, f)) {
			struct event e;
			memset(&e, 0, sizeof e);
			e.worker = -1;
			if (sscanf(line, "%31s %d %d %d %d %d", name, &e.n[0], &e.n[1], &e.n[2], &e.n[3], &e.n[4]) < 1) continue;
			for (i = 0; names[i].name; i++) if (!strcmp(names[i].name, name)) e.kind = names[i].kind;
			if (!e.kind) wrong(line);
			if (e.kind >= 20 && e.kind < 30) e.worker = e.n[0];
			if (e.kind >= 30 && e.kind < 40) e.worker = e.n[2];
			for (i = 0; i < 5; i++) if (e.n[i] < 0 || e.n[i] > 255) wrong(line);
			if (length == room) steps = realloc(steps, (room = 2 * room + 64) * sizeof *steps);
			steps[length++] = e;
		}
		fclose(f);
		if (!length) wrong("empty");
		atexit(report);
	}

	/* show makes the step at now.at the next one. */
	static void show(void) {
		int i, w, left = NW + 1;
		struct event *e = steps + now.at;
		if (now.at > furthest) furthest = now.at;
		if (now.at == length) { verdict = 1; exit(0); }
		now.e_kind = e->kind; now.e_a = e->n[0]; now.e_b = e->n[1]; now.e_c = e->n[2]; now.e_d = e->n[3];
		now.next_of_engine = 0;
		for (w = 0; w < NW; w++) now.next_of[w] = 0;
		for (i = now.at; i < length && left > 0; i++) {
			e = steps + i;
			if (e->kind < 20) {
				if (!now.next_of_engine) { now.next_of_engine = e->kind; left--; }
			} else if (e->worker >= 0 && e->worker < NW && !now.next_of[e->worker]) { now.next_of[e->worker] = e->kind; left--; }
			if (i > now.at + 400) break;
		}
	}
}

#define NEXT	c_code { now.at++; show(); }
#define IS(k, a, b)	(e_kind == (k) && e_a == (a) && e_b == (b))
/* LOG is told after the access before it, TELL before the access after it: another goroutine may come in between. */
#define LOG(k, a, b)	IS(k, a, b); NEXT;
#define TELL(k, a, b)	atomic { IS(k, a, b); NEXT };

/* ---- in place of life.pml: hooks do what the trace says ------------------------------------------------------------- */

#include "state.pml"

byte inc_of[NP];	/* of a port */
byte box_of[NB];	/* of an incarnation */
byte lives_in[NB];	/* the incarnation of a mailbox */
bit made[NB];		/* a mailbox whose constructor returned and whose incarnation nobody has seen yet */

#define MAY_ASK(w)	(next_of[w] == CALLS)
#define MAY_RETURN(w)	(next_of[w] == RETURNS)
#define MAY_PANIC(w)	(next_of[w] == FAILS)
#define MAY_EXIT(w)	(next_of[w] == FAILS)
#define MAY_REVOKE(w)	(next_of[w] == FAILS)
#define LOOKS		(next_of_engine == LOOKS_AT)

inline choose(w) { skip }

inline begins(w) {
	if
	:: !ABANDONED(w) ->
		resume(w);
		assert(!lost[n] || hook[w] == CONSTRUCT);
		assert(!dead[item_box[ITEM(w, i)]]);
		assert(ending[w] == 0);
		begun[w] = begun[w] | (1 << i)
	:: else
	fi
}

inline judge(w) {
	if
	:: INDEX(s) < size[w] && (next_of_engine == GIVES_UP || next_of_engine == MISSES) -> gives_up = 1
	:: else
	fi
}

/* The engine runs nested hooks while the one that asked waits. */
inline requested() {
	do
	:: e_kind == HANDS_OVER -> CALL(Crossing(l+1))
	:: e_kind == ANSWERS && e_a == p -> break
	od
}

inline accepts() {
	if :: ep == 255 -> meddled = 1 :: else fi;
	assert(!ABANDONED(j) && (ep == 255 || RUNS(j, p)))
}

#include "worker.pml"
#include "handover.pml"

/* ---- the engine -------------------------------------------------------------------------------------------------------- */

/* An item of the job: port, incarnation, mailbox. An action has neither port nor incarnation; a constructor has its incarnation at
 * its end, and the mailbox must be free for it. */
inline admit(w) {
	p = e_b;
	assert(size[w] < NI && p < NP && e_c < NB && e_d < NB && e_d > 0);
	assert(!dead[e_d]);
	if
	:: hook[w] == CONSTRUCT -> assert(lives_in[e_d] == 0 || lost[lives_in[e_d]]); made[e_d] = 0
	:: hook[w] == STEP -> assert(p == 0)
	:: else ->
		assert(p > 0 && e_c > 0);
		if
		:: box_of[e_c] == 0 -> assert(made[e_d]); made[e_d] = 0; box_of[e_c] = e_d; lives_in[e_d] = e_c
		:: else -> assert(box_of[e_c] == e_d && lives_in[e_d] == e_c)
		fi;
		assert(inc_of[p] == 0 || inc_of[p] == e_c);
		inc_of[p] = e_c;
		assert(!lost[e_c] || resumed > 0);
		assert(meddled || (!asking[p] && answers[p] == 0));
		x = 0;	/* no zombie is in the frame */
		do
		:: x < NW -> assert(!ABANDONED(x) || gone[x] || INDEX(state[x]) >= size[x] || item[ITEM(x, INDEX(state[x]))] != p); x++
		:: else -> x = 0; break
		od;
		if
		:: resumed > 0 -> assert(rest[size[w]] == p)	/* in their order */
		:: else
		fi
	fi;
	item[ITEM(w, size[w])] = p;
	item_box[ITEM(w, size[w])] = e_d;
	size[w]++
}

/* Barrier.Run, Ask, Batch, Fresh, Call: one hand-over, and after a take-over in a batch one for the rest. */
proctype Crossing(byte l) {
	byte w, p, x, resumed;
	byte rest[NI];
	do
	:: atomic { e_kind == HANDS_OVER ->
			w = e_a;
			assert(w < NW && idle[w]);
			idle[w] = 0;
			if :: e_b == QUESTION -> hook[w] = WANTS; poll[w] = 1 :: else -> hook[w] = e_b fi;
			NEXT;
			do
			:: e_kind == ITEM_OF && e_a == w -> admit(w); NEXT
			:: e_kind == HANDED && e_a == w && size[w] == e_b && (resumed == 0 || size[w] == resumed) -> NEXT; break
			od;
			resumed = 0; p = 0
		};
		CALL(HandOver(w, l+1));
		atomic {
			learn(w);
			if
			:: hook[w] == CONSTRUCT && !overran && err[ITEM(w, 0)] == FINE -> made[item_box[ITEM(w, 0)]] = 1
			:: hook[w] == UPDATE && overran && !refused ->
				x = INDEX(state[w])+1;
				do
				:: x < size[w] -> rest[resumed] = item[ITEM(w, x)]; resumed++; x++
				:: else -> x = 0; break
				od
			:: else
			fi;
			release(w);
			w = 0;
			if :: resumed == 0 -> break :: else fi
		}
	od
}

/* Between two crossings. */
proctype Host() {
	byte p;
	do
	:: atomic { e_kind == HANDS_OVER -> run Crossing(1); (_nr_pr == OTHERS) }
	:: atomic { e_kind == STARTS_WITH -> zombies = e_a; NEXT }
	:: atomic { e_kind == ENDS_TICK ->
			assert(handovers == 0);
			polling = 0; armed = 0;
			p = 0;
			do :: p < NW -> assert(idle[p] || ABANDONED(p)); p++ :: else -> p = 0; break od;
			NEXT }
	:: atomic { e_kind == REFUSES && signals?[call,_,_,_,_,_] ->	/* Close: requests that came too late */
			signals?call,_,p,_,_,_;
			LOG(REFUSES, p, 0)
			answers[p] = STALE; p = 0 }
	od
}

/* A goroutine that an author started, or the hook of another behavior, asks with the Control of a hook. */
proctype Meddler() {
	byte v, j, r, k, p;
	do
	:: atomic { e_kind == CALLS+MEDDLING -> p = e_a };
		Do(p, r, 0, 255, NW, box_of[inc_of[p]]);
		atomic { v = 0; p = 0 }
	od
}

init {
	atomic {
		c_code { load(); show(); };
		FOR(q, NW) idle[q] = 1; run Worker(q); ROF(q);
		run Timer();
		FOR(q, MEDDLERS) run Meddler(); ROF(q);
		run Host()
	};
	false
}
