// Package actions runs one-shot physical jobs: turn, drive, say, animate. It holds the contract of an [Action], the
// result codes, the life of a [Runner], the queues of a [List] and the [TrackTable] that keeps two actions off one
// motor. Concrete actions live in the packages below it.
//
// RULES.md states what must hold, by the IDs that comments cite.
//
// Its place in the tick: behaviors queue and cancel during the stack walk, then the engine calls [List.Update] once.
// Update steps the current action of every queue in slot order and returns the completions; device commands leave
// through [Env.Send]. Time, chance and the world are parameters, so an update is a pure function of its inputs and the
// list's state. There are no goroutines here; a [Host] may carry the calls to actors.
//
// An author writes Init and CheckIfDone. Everything else, that is time gates, timeouts, retries, track locks,
// stopping motors and reporting, is done by the runner:
//
//	type Blink struct{ until time.Time }
//
//	func (b *Blink) Name() string           { return "Blink" }
//	func (b *Blink) Type() actions.Type     { return actions.TypeDisplayFaceImage }
//	func (b *Blink) Tracks() actions.Tracks { return actions.Face }
//	func (b *Blink) Init(env *actions.Env) actions.Result {
//		env.Send(hardware.ShowFace{Face: "blink"})
//		b.until = env.Now.Add(200 * time.Millisecond)
//		return actions.Success
//	}
//	func (b *Blink) CheckIfDone(env *actions.Env) actions.Result {
//		if env.Now.After(b.until) {
//			return actions.Success
//		}
//		return actions.Running
//	}
package actions
