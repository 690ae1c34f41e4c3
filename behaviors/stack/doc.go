// Package stack is the behavior stack: which behaviors are activated, which are in scope, and the one order in which their lifecycle
// hooks run. It is a state machine. A request to a stack runs hooks in order, records events in order, and leaves a new stack; or it is
// refused with a typed reason and changes nothing.
//
// The package imports only the standard library. It knows nothing of JSON, actions, hardware, clocks or goroutines. It decides which hook
// runs when, and a [Host] runs it. Nothing here is safe for concurrent use: one goroutine owns a Stack. A Host that runs hooks on other
// goroutines must serve their requests on the owner's goroutine before Call returns.
//
// # Words
//
//   - A behavior, here a [Node], may hand control to another one, its delegate.
//   - The stack is a list of layers. The first one is the base, the last one is the top, which alone is in control: it may delegate.
//   - A [Layer] is a behavior together with its delegates as they were when it was pushed, and the behaviors linked to them.
//   - A behavior is activated while it is on the stack. It is in scope while a layer lists it; the root, a layer below the base that is
//     not on the stack, lists the base.
//   - A hook is a lifecycle function of a behavior. [Hook] lists them in the order of a life.
//   - The owner of the stack is the engine: it configures the base, runs the ticks and resets.
//   - A [Refusal] says which request was refused, of which behavior, and why.
//
// # A delegation
//
// A behavior asks another one whether it wants control ([Stack.Ask]) and, after a yes in the same tick, delegates to it
// ([Stack.Delegate]). That pushes a layer: its delegates enter scope, and then it is activated, all inside the call. [Stack.CancelSelf]
// and [Stack.CancelDelegates] pop layers from the top. Here R may delegate to A, and A to B:
//
//	case L-7 L-11: A delegates, and ends later.
//	tree
//	  R -> A
//	  A -> B
//	----
//	ok
//
//	tick
//	  R.Update: ask A; delegate A
//	----
//	R.OnEnteredActivatableScope
//	R.WantsToBeActivated yes
//	A.OnEnteredActivatableScope
//	R.OnActivated
//	R.Update
//	  A.WantsToBeActivated yes
//	  B.OnEnteredActivatableScope
//	  A.OnActivated
//	A.Update
//	B.Update in scope
//
//	tick
//	  A.Update: cancel-self
//	----
//	R.Update
//	A.Update
//	  B.OnLeftActivatableScope
//	  A.OnDeactivated
//
// What stands indented below a hook happens inside it. The files in testdata are such traces; package tracetest describes their
// language.
//
// # A tick
//
// The owner calls these four in every tick:
//
//	s.Begin(tick)  // carries out a reset that waits, starts the base if none is active
//	s.Walk()       // one Update for each layer from the base up, those included that are pushed on the way
//	s.Scope()      // one Update for every other behavior in scope, by ID
//	s.Repair()     // replaces failed incarnations, releases an empty stack for the next Begin
//
// A base that ends leaves the stack empty from the end of its tick to the next Begin (L-29). In between, [Invariants] hold.
//
// # Failure
//
// A hook that panics or overruns its budget is an error of [Host.Call]; it is no panic here. The layer of the failed behavior and the
// layers above it are popped, with events as in any pop. The behavior is broken: it is not asked and not activated until Repair has got a
// fresh incarnation from the host. If the host gives none, the behavior is disabled. A delegation whose target fails in its activation is
// refused after the pop, with the reason [Faulted].
//
// # Where to read on
//
// behaviors/RULES.md states the rules, such as L-7, that comments and tests cite. node.go and layer.go hold the data, request.go the
// requests of behaviors, scope.go entering and leaving scope, walk.go the tick, swap.go other behaviors between two ticks, refusal.go the reasons, invariant.go what always holds.
// Package engine is the Host that robotd uses.
package stack
