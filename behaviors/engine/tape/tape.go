// Package tape records an engine and decides its life again. A [Recorder] notes what the engine is told, every verdict of its hook runner,
// and what was decided (recorder.go). A [Replay] feeds that to another engine, without actors (replay.go), and names the first tick at which
// the two differ (diff.go). An [Encoder] makes a message of each entry, a [Decoder] reads them (codec.go, decode.go, schema.go), and a [Queue]
// takes them off the tick (queue.go). [Hasher] makes the decision hash, which needs no tape (hash.go).
package tape

import (
	"slices"
	"sync"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A Tape is the recording of one life of an engine: every input, and every verdict of its hook runner that
// depended on more than that. A [Replay] decides it all again. It is plain data; an entry is not changed once recorded.
type Tape struct {
	Entries []*Entry
}

// Add appends an entry. It is what a [Recorder] that keeps everything in memory is given as its sink.
func (t *Tape) Add(e *Entry) {
	e.Seal()
	t.Entries = append(t.Entries, e)
}

// Encode returns the message of each entry.
func (t *Tape) Encode() (messages [][]byte, err error) {
	var w Encoder
	for _, e := range t.Entries {
		m, err := w.Append(nil, e)
		if err != nil {
			return messages, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

// Decode reads what Encode returned. With an error the entries before it are returned, too.
func Decode(messages [][]byte) (*Tape, error) {
	t, r := &Tape{}, Decoder{}
	for _, m := range messages {
		e, err := r.Next(m)
		if err != nil {
			return t, err
		}
		t.Entries = append(t.Entries, e)
	}
	return t, nil
}

// An Entry is one call of the engine: what went in, what its hooks suffered, and what was decided.
type Entry struct {
	Kind     engine.CallKind
	Now      time.Time      // engine.CallStart
	Base     string         // engine.CallStart: the boot behavior; engine.CallReset: the new base
	Failures int            // engine.CallStart: engine.Options.MaxFailures
	Stage    engine.Stage   // engine.CallStart
	Memory   *engine.Memory // engine.CallStart
	Input    engine.Input   // engine.CallStep
	Verdicts []Verdict      // in the order of their end
	Log      TickLog        // what came out, once it is sealed

	raw  engine.Output // what came out, while it is open
	open bool
}

// entries are entries that nobody needs any more.
var entries = sync.Pool{New: func() any { return new(Entry) }}

// newEntry returns an entry of a call. What the call refers to is copied, because its owner may use it again.
func newEntry(c engine.Call) *Entry {
	e := entries.Get().(*Entry)
	events, commands, plans := e.Input.Events[:0], e.Input.Commands[:0], e.Input.Plans[:0]
	e.Kind, e.Now, e.Base, e.Failures, e.Stage, e.Memory, e.Input, e.Verdicts, e.Log = c.Kind, c.Now, c.Base, c.Failures, c.Stage, c.Memory, c.Input, nil, TickLog{}
	e.Input.Events, e.Input.Commands = append(events, c.Input.Events...), append(commands, c.Input.Commands...)
	e.Input.Plans = append(plans, c.Input.Plans...)
	return e
}

// keep copies what was decided. It becomes text when the entry is sealed, which is no work for the tick.
func (e *Entry) keep(o *engine.Output) {
	r := &e.raw
	r.Tick, e.open = o.Tick, true
	r.Events, r.Done, r.Commands = append(r.Events[:0], o.Events...), append(r.Done[:0], o.Done...), append(r.Commands[:0], o.Commands...)
	r.Replies, r.Violations = append(r.Replies[:0], o.Replies...), append(r.Violations[:0], o.Violations...)
}

// Seal makes the log of an entry that comes from a [Recorder]. Any goroutine may do so, before anything else uses the entry.
func (e *Entry) Seal() {
	if e.open {
		e.open, e.Log = false, LogOf(&e.raw)
	}
}

// Recycle gives the memory of an entry from a [Recorder] back. Nobody may use it, or anything in it, any more.
func (e *Entry) Recycle() { entries.Put(e) }

// A Verdict says that one crossing of the hook runner lost its incarnation: it panicked, or took too long by the wall clock. A
// replay does not run it again; it makes the same requests and fails in the same way. Nor does it run what such a hook
// led to in its own incarnation, whose memory it has not: that has a verdict without a text, and so has what gates and conditions of that
// incarnation said meanwhile.
type Verdict struct {
	Crossing int             // which call of the hook runner in this entry, in order of their begin
	Item     int             // of a batch
	Who      string          // behavior ID, or action name
	Where    string          // hook, or step of an action, or "constructor", or "foresight"
	Text     string          // the error; empty if it ended well inside a hook that did not
	Answer   bool            // then: what it answered
	Foreseen engine.Foreseen // of a foresight
	Hung     bool            // it was an action that did not return, which is charged to its owner
	Requests []Request
	Effects  []Effect
}

// A Request is one request of a lost hook, as it was made.
type Request struct {
	Kind    behaviors.RequestKind
	ID      string
	IDs     []string
	Key     string
	Retries int
	On      bool
	Data    bool // the question came with data, which a tape does not hold
	Args    any
	Among   *behaviors.Choice
	Action  *Action
}

// Error is the loss as the hook runner reported it.
func (v *Verdict) Error() string { return v.Text }

// Unwrap distinguishes a hang from a panic.
func (v *Verdict) Unwrap() error {
	if v.Hung {
		return actions.ErrHung
	}
	return nil
}

// LostData stands in a replay for the data of a question that a lost hook asked. The behavior that is asked may answer otherwise to
// it; the replay then names the difference.
type LostData struct{}

// An Action stands for an action that a lost hook delegated to. It never runs: it ends with the hook that queued it.
type Action struct {
	Label   string
	Kind    actions.Type
	Refused bool // the list did not take it
}

// EffectKind names one thing that an action does through its Env.
type EffectKind uint8

// The effects.
const (
	EffectSend EffectKind = iota
	EffectNextID
	EffectLock
	EffectUnlock
	EffectTake
	EffectFree
	EffectEnded
	EffectAskPath
	EffectDropPath
)

// An Effect is one thing that a lost step of an action did before it was lost.
type Effect struct {
	Kind    EffectKind
	Command hardware.Command      // EffectSend
	Who     string                // EffectLock, EffectUnlock
	Tracks  actions.Tracks        // EffectLock
	Tag     actions.Tag           // EffectFree
	Ended   *EndedChild           // EffectEnded
	Path    *actions.PathQuestion // EffectAskPath
	PathID  uint64                // EffectDropPath
}

// An EndedChild is the completion of a part, without its payload.
type EndedChild struct {
	Tag    actions.Tag
	Owner  string
	Name   string
	Type   actions.Type
	Result actions.Result
	Sub    []actions.Result
	Detail string
}

// note copies a request before it is served. It uses its own memory again.
func (n *Request) note(r *behaviors.Request, among *behaviors.Choice) {
	*n = Request{
		Kind: r.Kind, ID: r.ID, IDs: append(n.IDs[:0], r.IDs...), Key: r.Key, Retries: r.Retries, On: r.On, Data: r.Data != nil, Args: r.Args,
	}
	if r.Among != nil {
		r.Among.Note(r.Kind, among)
		n.Among = among
	}
}

// clone copies a request that was noted, with everything that is used again.
func (n *Request) clone() Request {
	c := *n
	c.IDs = slices.Clone(n.IDs)
	if n.Among != nil {
		c.Among = &behaviors.Choice{IDs: slices.Clone(n.Among.IDs), Scores: slices.Clone(n.Among.Scores), Has: n.Among.Has}
	}
	return c
}

// request is the other way around.
func (n *Request) request() *behaviors.Request {
	r := &behaviors.Request{Kind: n.Kind, ID: n.ID, IDs: n.IDs, Key: n.Key, Retries: n.Retries, On: n.On, Args: n.Args}
	if n.Data {
		r.Data = LostData{}
	}
	if n.Among != nil {
		r.Among = n.Among.Candidates()
	}
	if n.Action != nil {
		r.Action, r.Label = n.Action, actions.Describe(n.Action)
	}
	return r
}

// recordAction describes the action of a request that was served, by the label that came with it.
func recordAction(r *behaviors.Request) (n *Action) {
	n = &Action{Refused: true}
	if !r.OK {
		return n
	}
	n.Refused, n.Label, n.Kind = false, r.Label.Name(), r.Label.Kind()
	return n
}

// Name implements actions.Action. An action that the list had refused is refused again: for what its getter does.
func (n *Action) Name() string {
	if n.Refused {
		panic("the recorded action was refused")
	}
	return n.Label
}

// Type implements actions.Action.
func (n *Action) Type() actions.Type { return n.Kind }

// Tracks implements actions.Action.
func (n *Action) Tracks() actions.Tracks { return 0 }

// Init implements actions.Action. It is never called.
func (n *Action) Init(*actions.Env) actions.Result { return actions.Abort }

// CheckIfDone implements actions.Action. It is never called.
func (n *Action) CheckIfDone(*actions.Env) actions.Result { return actions.Abort }

func endedChild(c actions.Completion) *EndedChild {
	return &EndedChild{Tag: c.Tag, Owner: c.Owner, Name: c.Name, Type: c.Type, Result: c.Result, Sub: c.Sub, Detail: c.Detail}
}

func (p *EndedChild) completion() actions.Completion {
	return actions.Completion{Tag: p.Tag, Owner: p.Owner, Name: p.Name, Type: p.Type, Result: p.Result, Sub: p.Sub, Detail: p.Detail}
}
