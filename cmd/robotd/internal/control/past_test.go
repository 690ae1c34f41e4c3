package control_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// past is a history that notes its calls: ticks 10 to 20, a second each.
type past struct {
	over   bool
	hidden uint64 // the first tick whose state is not known; 0: all are
	calls  []string
	fail   error
}

func (p *past) note(format string, args ...any) error {
	p.calls = append(p.calls, fmt.Sprintf(format, args...))
	return p.fail
}

func (p *past) Over() bool { return p.over }
func (p *past) History() control.HistoryState {
	return control.HistoryState{First: control.InstantState{Tick: 10, AtS: 10}, Last: control.InstantState{Tick: 20, AtS: 20}, Live: !p.over, Gaps: []control.GapState{}}
}

func (p *past) Tick(at float64) (uint64, error) {
	if at < 10 || at > 20 {
		return 0, control.Refuse(fmt.Errorf("%g s is not recorded", at))
	}
	return uint64(at), nil
}

func (p *past) State(tick uint64) (*control.State, error) {
	if p.hidden > 0 && tick >= p.hidden {
		return nil, control.Refuse(fmt.Errorf("what held at tick %d is not known", tick))
	}
	return &control.State{Tick: tick}, p.note("state %d", tick)
}

func (p *past) Timeline(from, to float64) (*control.Timeline, error) {
	return &control.Timeline{}, p.note("timeline %g %g", from, to)
}
func (p *past) SeriesNames() []control.SeriesName { return []control.SeriesName{{Name: "battery"}} }
func (p *past) Series(names []string, from, to float64, points int) (*control.SeriesSet, error) {
	return &control.SeriesSet{}, p.note("series %v %g %g %d", names, from, to, points)
}

func (p *past) Activations(id string) ([]control.Activation, error) {
	return []control.Activation{}, p.note("activations %s", id)
}

func (p *past) Log(q control.LogQuery) ([]control.LogEntry, error) {
	return []control.LogEntry{}, p.note("log %+v", q)
}

func (p *past) Tree(tick uint64) (*control.Tree, error) {
	return &control.Tree{}, p.note("tree %d", tick)
}

func (p *past) Why(id string, tick uint64) (*control.Why, error) {
	return &control.Why{}, p.note("why %s %d", id, tick)
}
func (p *past) Budget() ([]control.BudgetEntry, error) { return nil, p.note("budget") }

func TestQuestionAboutThePastReachesIt(t *testing.T) {
	s, p := newStand(t), &past{}
	s.past = p
	for _, c := range []struct{ path, call string }{
		{"/v1/state?tick=12", "state 12"},
		{"/v1/state?at=13.5", "state 13"},
		{"/v1/state?at=13.5s", "state 13"},
		{"/v1/timeline", "timeline 10 20"},
		{"/v1/timeline?from=11&to=12.5", "timeline 11 12.5"},
		{"/v1/series?names=battery,range&points=7", "series [battery range] 10 20 7"},
		{"/v1/series?names=battery", "series [battery] 10 20 600"},
		{"/v1/activations?id=Wait", "activations Wait"},
		{"/v1/log?level=warn&q=imu&from=11", "log {FromS:11 ToS:20 Level:warn Text:imu}"},
		{"/v1/tree", "tree 0"},
		{"/v1/tree?tick=12", "tree 12"},
		{"/v1/tree?at=13.5", "tree 13"},
		{"/v1/budget", "budget"},
	} {
		p.calls = nil
		if status, a, _ := s.send("GET", c.path, "", nil); status != 200 || a.Error != "" {
			t.Errorf("%s: status %d, %+v", c.path, status, a)
		}
		if len(p.calls) != 1 || p.calls[0] != c.call {
			t.Errorf("%s: the past was asked %q, want %q", c.path, p.calls, c.call)
		}
	}
}

func TestWrongQuestionAboutThePastIsAnsweredWithTheNearestWord(t *testing.T) {
	s, p := newStand(t), &past{}
	s.past = p
	for _, c := range []struct{ path, want string }{
		{"/v1/state?tik=1", `did you mean "tick"?`},
		{"/v1/state?tick=1&at=2", "either tick or at"},
		{"/v1/state?tick=-1", `"-1" is no whole number`},
		{"/v1/state?tick=1&tick=2", "tick: stands more than once"},
		{"/v1/state?at=soon", `"soon" is no time`},
		{"/v1/state?at=99", "99 s is not recorded"},
		{"/v1/timeline?from=12&to=11", "12 s is later than to, 11 s"},
		{"/v1/timeline?from=NaN", `"NaN" is no time`},
		{"/v1/timeline?%zz", "cannot be read"},
		{"/v1/series?points=3", "names: missing"},
		{"/v1/series?names=a&points=0", "between 1 and 5000"},
		{"/v1/series?names=" + strings.Repeat("a,", 16) + "a", "17 are more than 16"},
		{"/v1/activations", "id: missing"},
		{"/v1/log?level=wran", `did you mean "warn"?`},
		{"/v1/history?x=1", "takes no parameter"},
		{"/v1/tree?id=x", `there is no parameter "id"`},
		{"/v1/tree?tick=0", "the first tick is 1"},
		{"/v1/events?tick=12", "takes no parameter"},
	} {
		status, a, _ := s.send("GET", c.path, "", nil)
		if status != 400 || !strings.Contains(a.Error, c.want) {
			t.Errorf("%s: status %d, %q, want 400 with %q", c.path, status, a.Error, c.want)
		}
	}
	if len(p.calls) > 0 {
		t.Errorf("the past was asked %q", p.calls)
	}
	p.fail = control.Refuse(errors.New("no such thing"))
	if status, a, _ := s.send("GET", "/v1/tree", "", nil); status != 400 || a.Error != "no such thing" {
		t.Errorf("a refusal of the past: %d, %+v", status, a)
	}
	p.fail = errors.New("bad disk")
	if status, a, _ := s.send("GET", "/v1/tree", "", nil); status != 503 || a.Error != "bad disk" {
		t.Errorf("an error of the past: %d, %+v", status, a)
	}
}

func TestRobotWithoutHistorySaysSo(t *testing.T) {
	s := newStand(t)
	if status, a, _ := s.send("GET", "/v1/history", "", nil); status != 503 || a.Error != control.ErrNoPast.Error() {
		t.Errorf("status %d, %+v", status, a)
	}
}

// On a recording, the state view is that of the last tick or of the one that is asked for, and nothing can be done to the robot.
func TestRecordingAnswersQuestionsAndRefusesCommands(t *testing.T) {
	s := newStand(t)
	s.past = &past{over: true}
	for path, want := range map[string]uint64{"/v1/state": 20, "/v1/state?tick=11": 11, "/v1/state?at=12.7": 12} {
		resp, err := s.client.Get("http://" + s.address + path)
		if err != nil {
			t.Fatal(err)
		}
		var got control.State
		err = json.NewDecoder(resp.Body).Decode(&got)
		_ = resp.Body.Close()
		if err != nil || got.Tick != want {
			t.Errorf("%s: tick %d, %v, want %d", path, got.Tick, err, want)
		}
	}
	for _, path := range []string{"/v1/estop", "/v1/wake", "/v1/fault", "/v1/world"} {
		if status, a, _ := s.send("POST", path, "{}", nil); status != http.StatusConflict || !strings.Contains(a.Error, "this is a recording") {
			t.Errorf("%s: status %d, %+v", path, status, a)
		}
	}
	select {
	case call := <-s.calls:
		t.Errorf("the robot was asked %q", call)
	default:
	}
}

// Damage near the end of a recording takes no more than the last states away.
func TestRecordingWithDamagedEndShowsTheNewestStateBeforeIt(t *testing.T) {
	s := newStand(t)
	s.past = &past{over: true, hidden: 17}
	if status, a, _ := s.send("GET", "/v1/state?tick=18", "", nil); status != http.StatusBadRequest || a.Error != "what held at tick 18 is not known" {
		t.Errorf("of a hidden tick: status %d, %+v", status, a)
	}
	resp, err := s.client.Get("http://" + s.address + "/v1/state")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var got control.State
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || got.Tick != 16 {
		t.Errorf("tick %d, %v", got.Tick, err)
	}
	s.past = &past{over: true, hidden: 1}
	if status, a, _ := s.send("GET", "/v1/state", "", nil); status != http.StatusBadRequest || a.Error != "what held at tick 20 is not known" {
		t.Errorf("of a recording without a state: status %d, %+v", status, a)
	}
}

func TestStreamOfRecordingHasOneStateView(t *testing.T) {
	s := newStand(t)
	s.past = &past{over: true}
	for query, tick := range map[string]string{"": "20", "?at=12": "12"} {
		resp, err := s.client.Get("http://" + s.address + "/v1/events" + query)
		if err != nil {
			t.Fatal(err)
		}
		var events []string
		for in := bufio.NewScanner(resp.Body); len(events) < 2 && in.Scan(); {
			if name, ok := strings.CutPrefix(in.Text(), "event: "); ok {
				in.Scan()
				events = append(events, name+" "+in.Text()[:min(len(in.Text()), len(`data: {"tick":20`))])
			}
		}
		_ = resp.Body.Close()
		if want := []string{`state data: {"tick":` + tick, "quiet data: {}"}; len(events) != 2 || events[0] != want[0] || events[1] != want[1] {
			t.Errorf("%q: %q, want %q", query, events, want)
		}
	}
	if status, a, _ := s.send("GET", "/v1/events?at=3", "", nil); status != 400 || !strings.Contains(a.Error, "3 s is not recorded") {
		t.Errorf("status %d, %+v", status, a)
	}
}
