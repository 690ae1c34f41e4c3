// Package barrier is the tick barrier: the way of a hook from the engine to the actor of its behavior or action, and back.
//
// The engine's goroutine hands a [Barrier] one job at a time and waits until it is done, answering the requests that the hook
// makes meanwhile (barrier.go). A worker, a long-lived coroutine, runs the job (worker.go, crossing.go). It delivers each
// message through the synchronous mailbox of the actor (mailbox.go). A watchdog looks at the innermost hook, beside it, and
// gives its worker up when the hook takes longer than its budget (watchdog.go); limits.go says how many may hang. The actor
// parent restarts an actor that panicked and discards one that hangs (parent.go).
//
// The engine never runs on a worker, so a hook that never returns costs a goroutine and not the tick. model/ checks the
// protocol with spin.
package barrier
