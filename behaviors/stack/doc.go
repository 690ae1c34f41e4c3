// Package stack is the heart of robotd: the behavior stack, its activatable scope, and the one order in which
// lifecycle hooks run. It is a state machine in the sense of one line:
//
//	(stack, request) → hooks in order, events in order, new stack, or a typed refusal
//
// It knows nothing of JSON, actions, hardware, clocks or goroutines, and imports only the standard library. The world
// is kept outside behind [Host]: the stack decides who is called and when, the host calls. Nothing here is safe for
// concurrent use; the supervisor is its only caller, and a Host that runs hooks elsewhere must hand their requests
// back to the caller's goroutine before Call returns.
//
// # Words
//
// The stack is a list of layers, base first; the last one is the top, the only one in control. A [Layer] is a
// behavior with the delegates (and their linked behaviors) as they were when it was pushed. A behavior is in scope
// while at least one layer lists it. Rule numbers such as L-13 or T-9 are those of the specification of the stack.
//
// # A tick
//
//	s.Begin(tick)  // pending reset, lazy start of the base (T-3.1, T-3.2)
//	s.Walk()       // base to top by index, sizes read again at each step (T-4…T-6)
//	s.Scope()      // one Update for everything else in scope, by ID (T-9, T-10)
//	s.Repair()     // fresh incarnations for what failed; an empty stack is a fault (L-29)
//
// # Failure
//
// A hook that panics or overruns is an error from [Host.Call], never a panic here. The layer of the failed behavior and
// everything above it are popped with their real events; the behavior is broken, answers no question and takes no
// control until Repair has asked the host for a fresh incarnation.
package stack
