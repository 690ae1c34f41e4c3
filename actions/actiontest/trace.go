package actiontest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources/tracetest"
)

// RunFiles runs every case of the trace files of a directory, in the form of package tracetest, each on a fresh list with a host of
// its own. Commands that act:
//
//	new A TYPE TRACKS [key=value ...]  a stub; keys: init, init-running, retry, result, timeout-ms, delay-ms, check-ms,
//	                                   blow, yield, treads
//	seq S A B~ ...                     a sequence of actions; "~" ignores the child's failure
//	par P A B ...                      the same side by side
//	queue A POSITION [key=value ...]   keys: retries, tag, owner
//	add S A                            adds a child
//	result A RESULT                    what CheckIfDone returns from now on
//	tick [N]                           N updates of the list, 60 ms apart
//	cancel tag|type|owner X, clear, force A
//	lock WHO TRACKS, unlock WHO
//	timeout-ms A N                     changes the timeout
//	stop-cancels A X Y ...             when A is destroyed it cancels the tags of X and Y
//	watch N, unwatch N                 registers or removes watcher N
//	hold on|off                        the robot leaves its treads, or returns
//
// What is refused prints "! COMMAND: why". Commands that print:
//
//	current [SLOT], len [SLOT], queues
//	locked                             the tracks that are
//	ends                               completions since the last "ends", in order
//	saw N                              what watcher N saw since the last "saw"
//	calls A                            calls of Init, CheckIfDone, Stop and Reset
//	who A                              the detail of the newest completion of A
func RunFiles(t *testing.T, dir string, host func() actions.Host, rewrite bool) {
	t.Helper()
	tracetest.RunAll(t, dir, func(t *testing.T, path string) {
		tracetest.Run(t, path, func(testing.TB) tracetest.Environment { return newInterpreter(host()).exec }, rewrite)
	})
}

// interpreter runs one case.
type interpreter struct {
	rig      *Rig
	stubs    map[string]*Stub
	acts     map[string]actions.Action
	tags     map[string]actions.Tag
	seen     int // completions already printed
	watchers map[string]actions.WatchID
	saw      map[string][]string
}

func newInterpreter(host actions.Host) *interpreter {
	return &interpreter{
		rig: NewRig(host), stubs: map[string]*Stub{}, acts: map[string]actions.Action{}, tags: map[string]actions.Tag{},
		watchers: map[string]actions.WatchID{}, saw: map[string][]string{},
	}
}

// refused is what a command came to nothing for; any other error is a mistake of the file.
type refused struct{ error }

func refuse(err error) error {
	if err == nil {
		return nil
	}
	return refused{err}
}

// exec is the tracetest.Environment.
func (x *interpreter) exec(c *tracetest.Command) ([]string, error) {
	if len(c.Input) > 0 {
		return nil, c.Input[0].Errorf("%q takes no indented lines", c.Verb())
	}
	if lines, known, err := x.show(c.Verb(), append(c.Args(), "", "")); known {
		return lines, err
	}
	err := x.act(c.Verb(), append(c.Args(), "", "", "")) // missing words read as empty
	if why := (refused{}); errors.As(err, &why) {
		return []string{"! " + c.Text + ": " + why.Error()}, nil
	}
	return nil, err
}

func (x *interpreter) act(verb string, w []string) error {
	l := x.rig.List
	switch verb {
	case "new":
		return x.stub(w)
	case "seq", "par":
		return x.compound(verb, w)
	case "queue":
		return x.queue(w)
	case "add":
		return x.add(w[0], w[1])
	case "result", "timeout-ms", "stop-cancels":
		return x.change(verb, w)
	case "tick":
		return x.tick(w[0])
	case "cancel":
		return x.cancel(w[0], w[1])
	case "clear":
		l.Clear()
	case "force":
		l.ForceComplete(x.tags[w[0]])
	case "lock":
		var t actions.Tracks
		err := parse(actions.ParseTracks, w[1], &t)
		l.Tracks().Lock(w[0], t)
		return err
	case "unlock":
		l.Tracks().Unlock(w[0])
	case "watch":
		x.watchers[w[0]] = l.Watch(func(c actions.Completion) { x.saw[w[0]] = append(x.saw[w[0]], c.Name) })
	case "unwatch":
		if !l.Unwatch(x.watchers[w[0]]) {
			return refuse(errors.New("unknown watcher"))
		}
	case "hold":
		return x.hold(w[0])
	default:
		return tracetest.Unknown("new", "seq", "par", "queue", "add", "result", "tick", "cancel", "clear", "force", "lock", "unlock",
			"timeout-ms", "stop-cancels", "watch", "unwatch", "hold", "current", "len", "queues", "locked", "ends", "saw", "calls", "who")
	}
	return nil
}

// change changes what a stub does.
func (x *interpreter) change(verb string, w []string) error {
	s := x.stubs[w[0]]
	if s == nil {
		return fmt.Errorf("no stub %q", w[0])
	}
	switch verb {
	case "result":
		return parse(actions.ParseResult, w[1], &s.Result)
	case "timeout-ms":
		s.Limit = millis(w[1])
	case "stop-cancels":
		names := words(w[1:])
		s.OnStop = func() {
			for _, n := range names {
				x.rig.List.CancelTag(x.tags[n])
			}
		}
	}
	return nil
}

func (x *interpreter) tick(count string) error {
	n, err := strconv.Atoi(cmp.Or(count, "1"))
	if err != nil || n < 1 {
		return fmt.Errorf("want a positive number, not %q", count)
	}
	for range n {
		x.rig.Tick()
	}
	return nil
}

func (x *interpreter) hold(how string) error {
	treads, ok := map[string]hardware.Treads{"on": hardware.InAir, "off": hardware.OnTreads}[how]
	if !ok {
		return fmt.Errorf("want on or off, not %q", how)
	}
	x.rig.World.Body.Treads = treads
	return nil
}

func (x *interpreter) stub(w []string) error {
	s := NewStub(w[0], 0)
	x.stubs[w[0]], x.acts[w[0]] = s, s
	if err := parse(actions.ParseType, w[1], &s.Kind); err != nil {
		return err
	}
	if err := parse(actions.ParseTracks, w[2], &s.Lock); err != nil {
		return err
	}
	for _, kv := range words(w[3:]) {
		key, value, _ := strings.Cut(kv, "=")
		n, _ := strconv.Atoi(value)
		switch key {
		case "init-running":
			s.InitRun = n
		case "retry":
			s.Retries = n
		case "result":
			if err := parse(actions.ParseResult, value, &s.Result); err != nil {
				return err
			}
		case "init":
			if err := parse(actions.ParseResult, value, &s.InitRes); err != nil {
				return err
			}
		case "timeout-ms":
			s.Limit = millis(value)
		case "delay-ms":
			s.Delay = millis(value)
		case "check-ms":
			s.Check = millis(value)
		case "blow":
			s.Blow = value
		case "yield":
			s.Yield = true
		case "treads":
			s.Treads = true
		default:
			return fmt.Errorf("unknown key %s", key)
		}
	}
	return nil
}

func (x *interpreter) child(name string) (compound.Child, error) {
	name, ignore := strings.CutSuffix(name, "~")
	a := x.acts[name]
	if a == nil {
		return compound.Child{}, fmt.Errorf("no action %s", name)
	}
	return compound.Child{Action: a, Ignore: ignore}, nil
}

func (x *interpreter) compound(verb string, w []string) error {
	p := compound.Params{Name: w[0]}
	for _, name := range words(w[1:]) {
		one, err := x.child(name)
		if err != nil {
			return err
		}
		p.Children = append(p.Children, one)
	}
	if verb == "seq" {
		x.acts[w[0]] = compound.NewSequential(p)
	} else {
		x.acts[w[0]] = compound.NewParallel(p)
	}
	return nil
}

func (x *interpreter) add(to, name string) error {
	p, err := x.child(name)
	if err != nil {
		return err
	}
	group, ok := x.acts[to].(interface {
		Add(compound.Child) (compound.Ref, error)
	})
	if !ok {
		return fmt.Errorf("%q takes no children", to)
	}
	_, err = group.Add(p)
	return refuse(err)
}

func (x *interpreter) queue(w []string) error {
	o := actions.QueueOptions{}
	if err := parse(actions.ParsePosition, w[1], &o.Position); err != nil {
		return err
	}
	for _, kv := range words(w[2:]) {
		key, value, _ := strings.Cut(kv, "=")
		n, _ := strconv.Atoi(value)
		switch key {
		case "retries":
			o.Retries = n
		case "owner":
			o.Owner = value
		case "tag":
			o.Tag = actions.Tag(n)
			if t, ok := x.tags[value]; ok {
				o.Tag = t
			}
		default:
			return fmt.Errorf("unknown key %s", key)
		}
	}
	a := x.acts[w[0]]
	if a == nil {
		return fmt.Errorf("no action %q", w[0])
	}
	tag, err := x.rig.List.Queue(a, o)
	if err == nil {
		x.tags[w[0]] = tag
	}
	return refuse(err)
}

func (x *interpreter) cancel(by, what string) error {
	var found bool
	switch by {
	case "tag":
		found = x.rig.List.CancelTag(x.tags[what])
	case "owner":
		found = x.rig.List.CancelOwner(what)
	case "type":
		var t actions.Type
		if err := parse(actions.ParseType, what, &t); err != nil {
			return err
		}
		found = x.rig.List.CancelType(t)
	default:
		return fmt.Errorf("cancel by tag, type or owner, not by %q", by)
	}
	if !found {
		return refuse(errors.New("found nothing"))
	}
	return nil
}

// show prints what the list answers.
func (x *interpreter) show(verb string, w []string) (lines []string, known bool, err error) {
	l := x.rig.List
	slot, _ := strconv.Atoi(w[0])
	head := strings.Join(append([]string{verb}, words(w)...), " ")
	var value string
	switch verb {
	case "current":
		value = "none"
		if a := l.Current(slot); a != nil {
			value = a.Name()
		}
	case "len":
		value = strconv.Itoa(l.Len(slot))
	case "queues":
		value = strconv.Itoa(l.Queues())
	case "locked":
		value = l.Tracks().Mask().String()
	case "ends":
		return x.ends(), true, nil
	case "saw":
		value = cmp.Or(strings.Join(x.saw[w[0]], " "), "nothing")
		x.saw[w[0]] = nil
	case "calls":
		s := x.stubs[w[0]]
		if s == nil {
			return nil, true, fmt.Errorf("no stub %q", w[0])
		}
		value = fmt.Sprint(s.Inits, s.Checks, s.Stops, s.Resets)
	case "who":
		x.collect()
		i := slices.IndexFunc(x.rig.Done, func(c actions.Completion) bool { return c.Name == w[0] })
		if i < 0 {
			return nil, true, fmt.Errorf("%q did not end", w[0])
		}
		value = x.rig.Done[i].Detail
	default:
		return nil, false, nil
	}
	return []string{head + " " + value}, true, nil
}

// collect adds what ended outside of updates.
func (x *interpreter) collect() { x.rig.Done = append(x.rig.Done, x.rig.List.Drain()...) }

func (x *interpreter) ends() []string {
	x.collect()
	var all []string
	for _, c := range x.rig.Done[x.seen:] {
		all = append(all, fmt.Sprintf("ended %s: %s", c.Name, c.Result))
	}
	x.seen = len(x.rig.Done)
	if len(all) == 0 {
		return []string{"ended nothing"}
	}
	return all
}

func parse[T any](f func(string) (T, bool), s string, to *T) error {
	v, ok := f(s)
	if !ok {
		return fmt.Errorf("cannot read %q", s)
	}
	*to = v
	return nil
}

func millis(s string) time.Duration {
	n, _ := strconv.Atoi(s)
	return time.Duration(n) * time.Millisecond
}

// words drops the empty ones.
func words(w []string) []string {
	return slices.DeleteFunc(slices.Clone(w), func(s string) bool { return s == "" })
}
