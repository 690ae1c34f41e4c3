/* The tick barrier of robotd: engine, workers, watchdog, pacer. README.md says what is modeled and what is not.
 *
 * A step of the model is one access to what two goroutines share: the state word, the innermost job, a port's asking, a cell's
 * lost, a item_box's dead, a channel. What only the engine's goroutine touches is one step with the access before it. Variables marked
 * "ghost" exist for the assertions alone. -DM_... seeds a mistake, -DF_... an assertion that the Go code is known to fail.
 */

#include "state.pml"
#include "life.pml"
#include "worker.pml"
#include "handover.pml"
#include "stack.pml"
#include "tick.pml"

/* ---- pacer and operator ---------------------------------------------------------------------------------------------- */

/* A deadline that comes while a tick is under way is skipped. The number of ticks bounds the run. */
proctype Pacer() {
	byte n;
	do
#ifdef M_QUEUE_TICKS
	:: atomic { n < TICKS -> n++; assert(!ticking && empty(inbox)); busy = 1; inbox!tick }
#else
	:: atomic { n < TICKS && !busy -> n++; assert(!ticking && empty(inbox)); busy = 1; inbox!tick }
#endif
	:: atomic { n == TICKS -> break }
	od;
	inbox!drain;
end:
	false
}

proctype Operator() {
end:
	do
	:: atomic { resets > 0 -> resets--; resetWanted = 1 }
	od
}

/* A sender that knows a PID tells the actor to stop. The mailbox refuses it: nothing sets ending for a behavior. */
proctype Unauthorized() {
end:
	do
	:: atomic { stops > 0 -> stops--;
#ifdef M_STOP_TAKEN
		halted[INC(NB-1, mailbox[NB-1])] = 1
#endif
		}
	od
}

init {
	atomic {
		FOR(q, NB) where[q] = OUT; believes[INC(q, 0)] = OUT; ROF(q);
		FOR(q, NW) idle[q] = 1; run Worker(q); ROF(q);
		run Timer();
		run Pacer();
		if :: RESETS > 0 -> run Operator() :: else fi;
		if :: FOREIGN > 0 -> run Foreign() :: else fi;
		if :: STOPS > 0 -> run Unauthorized() :: else fi;
		run Engine()
	};
end:
	false
}

#ifdef LIVE
ltl ticks_end { [] (ticking -> <> !ticking) }
ltl it_stops { <> ended }
#endif
