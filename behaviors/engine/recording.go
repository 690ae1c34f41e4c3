package engine

import "time"

// A Recorder is told of each call of one engine, and of what its hooks do: package behaviors/engine/tape has one. It belongs to the
// goroutine of the engine.
type Recorder interface {
	// Around puts the recorder between the engine and its hook runner.
	Around(h HookRunner) HookRunner
	// Begin opens the record of one call. What the call holds belongs to its caller, which may use it again.
	Begin(c Call)
	// End closes it; o is what was decided, nil for the start.
	End(o *Output)
}

// CallKind names a call of the engine.
type CallKind uint8

// The calls, by the method of Engine.
const (
	CallStart CallKind = iota
	CallStep
	CallReset
	CallShutdown
)

func (k CallKind) String() string { return [...]string{"start", "step", "reset", "shutdown"}[k] }

// A Call is one call of the engine: what went in.
type Call struct {
	Kind     CallKind
	Now      time.Time // CallStart
	Base     string    // CallStart: the boot behavior; CallReset: the new base
	Failures int       // CallStart: Options.MaxFailures
	Stage    Stage     // CallStart
	Memory   *Memory   // CallStart: of an earlier life; nil for none
	Input    Input     // CallStep
}

// recorded ends the recording of a call.
func (e *Engine) recorded(out *Output) {
	if e.recorder != nil {
		e.recorder.End(out)
	}
}
