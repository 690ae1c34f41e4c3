package actiontest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/compound"
)

// RunFiles runs every case of the trace files that match a pattern, each on a fresh list with a host of its own. The
// actors run the same files through real actors.
//
// A file is a list of cases. A case starts with "case NAME" and holds one command per line; "#" starts a comment. A
// command that ends in "!" must be refused. Commands that act:
//
//	new A TYPE TRACKS [key=value ...]  a stub; keys: init-running, retry, result, timeout-ms, delay-ms, check-ms,
//	                                   blow, yield, treads
//	seq S A B~ ...                     a sequence of actions; "~" ignores the child's failure
//	par P A B ...                      the same side by side
//	queue A POSITION [key=value ...]   keys: retries, tag, owner
//	add S A                            adds a child
//	result A RESULT                    what CheckIfDone returns from now on ("done A" is the same with SUCCESS)
//	tick [N]                           N updates of the list, 60 ms apart
//	cancel tag|type|owner X, clear, force A
//	lock WHO TRACKS, unlock WHO
//	timeout-ms A N                     changes the timeout
//	stop-cancels A X Y ...             when A is destroyed it cancels the tags of X and Y
//	watch N, unwatch N                 registers or removes watcher N
//	lift, put                          the robot leaves its treads, or returns
//
// Commands that test:
//
//	current A|none [SLOT], len N [SLOT], queues N
//	locked TRACKS                      exactly these are locked
//	ends A=RESULT B=RESULT ...         completions since the last "ends", in order
//	saw N A B ...                      what watcher N saw since the last "saw"
//	calls A inits checks stops resets
//	who A TEXT                         the newest completion of A has TEXT in its detail
func RunFiles(t *testing.T, pattern string, host func() actions.Host) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s (%v)", pattern, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var x *interpreter
		for i, line := range strings.Split(string(data), "\n") {
			line, _, _ = strings.Cut(line, "#")
			words := strings.Fields(line)
			if len(words) == 0 {
				continue
			}
			if words[0] == "case" {
				x = &interpreter{rig: NewRig(host()), name: strings.Join(words[1:], " ")}
				x.init()
				continue
			}
			if x == nil {
				t.Fatalf("%s:%d: no case yet", f, i+1)
			}
			if x.failed {
				continue
			}
			if err := x.exec(words); err != nil {
				t.Errorf("%s:%d: %s: %s: %v", filepath.Base(f), i+1, x.name, strings.TrimSpace(line), err)
				x.failed = true // the rest would only repeat it
			}
		}
	}
}

// interpreter runs one case.
type interpreter struct {
	rig      *Rig
	name     string
	failed   bool
	stubs    map[string]*Stub
	acts     map[string]actions.Action
	tags     map[string]actions.Tag
	seen     int // completions already tested
	watchers map[string]actions.WatchID
	saw      map[string][]string
}

func (x *interpreter) init() {
	x.stubs, x.acts, x.tags = map[string]*Stub{}, map[string]actions.Action{}, map[string]actions.Tag{}
	x.watchers, x.saw = map[string]actions.WatchID{}, map[string][]string{}
}

func (x *interpreter) exec(w []string) error {
	verb, refused := strings.CutSuffix(w[0], "!")
	err := x.act(verb, w[1:])
	if refused {
		if err == nil {
			return fmt.Errorf("was accepted")
		}
		return nil
	}
	return err
}

func (x *interpreter) act(verb string, w []string) error {
	w = append(w, "", "", "") // so that missing words read as empty
	l := x.rig.List
	n, _ := strconv.Atoi(w[0])
	switch verb {
	case "new":
		return x.stub(w)
	case "seq", "par":
		return x.compound(verb, w)
	case "queue":
		return x.queue(w)
	case "add":
		return x.add(w[0], w[1])
	case "done":
		x.stubs[w[0]].Result = actions.Success
	case "result":
		return parse(actions.ParseResult, w[1], &x.stubs[w[0]].Result)
	case "tick":
		for range max(n, 1) {
			x.rig.Tick()
		}
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
	case "timeout-ms":
		x.stubs[w[0]].Limit = millis(w[1])
	case "stop-cancels":
		names := words(w[1:])
		x.stubs[w[0]].OnStop = func() {
			for _, n := range names {
				l.CancelTag(x.tags[n])
			}
		}
	case "watch":
		x.watchers[w[0]] = l.Watch(func(c actions.Completion) { x.saw[w[0]] = append(x.saw[w[0]], c.Name) })
	case "unwatch":
		if !l.Unwatch(x.watchers[w[0]]) {
			return fmt.Errorf("unknown watcher")
		}
	case "lift":
		x.rig.World.Body.Treads = 1
	case "put":
		x.rig.World.Body.Treads = 0
	default:
		return x.test(verb, w)
	}
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
	_, err = x.acts[to].(interface {
		Add(compound.Child) (compound.Ref, error)
	}).Add(p)
	return err
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
		}
	}
	tag, err := x.rig.List.Queue(x.acts[w[0]], o)
	if err == nil {
		x.tags[w[0]] = tag
	}
	return err
}

func (x *interpreter) cancel(by, what string) error {
	found := false
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
	}
	if !found {
		return fmt.Errorf("found nothing")
	}
	return nil
}

func (x *interpreter) test(verb string, w []string) error {
	l := x.rig.List
	slot, _ := strconv.Atoi(w[1])
	switch verb {
	case "current":
		name := "none"
		if a := l.Current(slot); a != nil {
			name = a.Name()
		}
		return same(name, w[0])
	case "len":
		return same(strconv.Itoa(l.Len(slot)), w[0])
	case "queues":
		return same(strconv.Itoa(l.Queues()), w[0])
	case "locked":
		return same(l.Tracks().Mask().String(), w[0])
	case "ends":
		return same(x.ends(), strings.Join(words(w), " "))
	case "saw":
		saw := x.saw[w[0]]
		x.saw[w[0]] = nil
		return same(strings.Join(saw, " "), strings.Join(words(w[1:]), " "))
	case "calls":
		s := x.stubs[w[0]]
		return same(fmt.Sprint(s.Inits, s.Checks, s.Stops, s.Resets), strings.Join(words(w[1:]), " "))
	case "who":
		x.collect()
		i := slices.IndexFunc(x.rig.Done, func(c actions.Completion) bool { return c.Name == w[0] })
		if i < 0 || !strings.Contains(x.rig.Done[i].Detail, w[1]) {
			return fmt.Errorf("detail is not there: %+v", x.rig.Done)
		}
		return nil
	}
	return fmt.Errorf("unknown command")
}

// collect adds what ended outside of updates.
func (x *interpreter) collect() { x.rig.Done = append(x.rig.Done, x.rig.List.Drain()...) }

func (x *interpreter) ends() string {
	x.collect()
	var all []string
	for _, c := range x.rig.Done[x.seen:] {
		all = append(all, c.Name+"="+c.Result.String())
	}
	x.seen = len(x.rig.Done)
	return strings.Join(all, " ")
}

func same(got, want string) error {
	if got != want {
		return fmt.Errorf("got %q, want %q", got, want)
	}
	return nil
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
