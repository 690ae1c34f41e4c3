package top

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

var update = flag.Bool("update", false, "write the golden frames")

// told is a robot that keeps what it was told.
type told struct {
	got []string
	err error
}

func (r *told) state(context.Context) (*control.State, error) { return fixedState(), r.err }

func (r *told) budget(context.Context) ([]control.BudgetEntry, error) { return nil, r.err }

func (r *told) estop(context.Context) (string, error) {
	r.got = append(r.got, "estop")
	return "stopped (stop 8)", r.err
}

func (r *told) resume(_ context.Context, stop uint64) (string, error) {
	r.got = append(r.got, fmt.Sprintf("resume %d", stop))
	return "resumed", r.err
}

// fixedState is a robot in trouble, with everything that a frame shows.
func fixedState() *control.State {
	s := &control.State{
		Tick: 12345, TimeS: 741, PeriodMS: 60, Robot: "R1", Version: "dev", Simulated: true,
		Sentence: control.SentenceState{Text: "Exploring: turning away from the edge", ID: "Explore", Why: "playing freely"},
		Banner: []control.BannerState{
			{Level: "error", Text: "cliff sensor failed: wheels held", SinceS: 720},
			{Level: "warn", Text: "battery is low", SinceS: 600},
			{Level: "info", Text: "invariants are not checked", SinceS: 1},
		},
		Latency: control.LatencyState{P50US: 232, P99US: 960, MaxUS: 1878, Missed: 2, Skipped: 3},
		Body:    control.BodyState{Battery: "Low", Volts: 3.61, Charge: 0.12},
		Stop:    control.StopState{Number: 7},
		Actions: []control.ActionState{
			{Slot: 1, Name: "TurnInPlace", Status: "running", ForS: 1.25, Tracks: []string{"treads"}, Owner: "Explore"},
			{Slot: 2, Name: "PlayClip", Status: "pending", Owner: "Explore"},
		},
	}
	for i, id := range []string{"ModeSelector", "FreePlay", "Explore"} {
		s.Stack = append(s.Stack, control.StackEntry{ID: id, State: fmt.Sprintf("s%d", i), ActiveS: 741 - 100.5*float64(i), InControl: i == 2})
	}
	s.Scope = []control.ScopeEntry{
		{ID: "ReactToShake", Wants: "no", Why: "nobody shakes it", Asker: "ModeSelector"},
		{ID: "VoiceCommands", Wants: "no", Why: "none of its delegates wants control", Asker: "ModeSelector"},
		{ID: "VoiceStop", Asker: "VoiceCommands"},
		{ID: "GreetFace", Wants: "yes", Asker: "FreePlay"},
	}
	for i := range 8 {
		s.Scope = append(s.Scope, control.ScopeEntry{ID: fmt.Sprintf("Play%d", i), Wants: "no", Why: "it rests", Asker: "FreePlay"})
	}
	s.Devices = []control.DeviceState{
		{Name: "battery", Quality: "ok", AgeMS: 163, Value: "3.61 V", Cause: "nack", Restarts: 1},
		{Name: "cliff", Quality: "failed", AgeMS: 21000, Cause: "crc mismatch"},
		{Name: "imu", Quality: "stale", AgeMS: 812, Cause: "no acknowledge", Fault: "nack", Value: "yaw 82°"},
		{Name: "motors", Quality: "ok", AgeMS: 6, Value: "-3, 3 mm/s"},
	}
	return s
}

func fixedBudget() []control.BudgetEntry {
	b := []control.BudgetEntry{{ID: "Idle"}, {ID: "Cheap", MeanUS: 2, P99US: 9, WorstUS: 12, Calls: 5, Share: 0.02}}
	for i := range 12 {
		b = append(b, control.BudgetEntry{ID: fmt.Sprintf("Dear%02d", i), MeanUS: 100, P99US: 1156, WorstUS: 20000, Calls: 9, Share: 0.03 + float64(i)/100})
	}
	return b
}

// view is a model of a given size that has been given the fixed robot.
func view(width, height int) (*model, *told) {
	r := &told{}
	m := newModel(context.Background(), r, nil)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, msg := range []tea.Msg{
		tea.WindowSizeMsg{Width: width, Height: height},
		stateMsg{state: fixedState(), at: at},
		budgetMsg{rows: fixedBudget()},
		recentMsg{events: []control.EventEntry{{AtS: 740.5, Kind: "failure", Who: "device/cliff", Text: "crc mismatch"}}},
		eventMsg{event: control.EventEntry{AtS: 741, Kind: "activated", Who: "Explore"}},
	} {
		m.Update(msg)
	}
	return m, r
}

func press(m *model, keys ...string) tea.Cmd {
	special := map[string]tea.Key{
		"tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "down": {Code: tea.KeyDown}, "up": {Code: tea.KeyUp},
		"enter": {Code: tea.KeyEnter}, "ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "end": {Code: tea.KeyEnd}, "home": {Code: tea.KeyHome},
	}
	var cmd tea.Cmd
	for _, k := range keys {
		key, ok := special[k]
		if !ok {
			key = tea.Key{Code: rune(k[0]), Text: k}
		}
		_, cmd = m.Update(tea.KeyPressMsg(key))
	}
	return cmd
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: the frame is\n%s\nwant\n%s", name, got, want)
	}
}

// content is the frame on the terminal; it has exactly the terminal's size.
func content(t *testing.T, m *model) string {
	t.Helper()
	text := m.View().Content
	lines := strings.Split(text, "\n")
	if len(lines) != m.height {
		t.Errorf("%d lines on a terminal of %d", len(lines), m.height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > m.width {
			t.Errorf("line %d is %d wide on a terminal of %d: %q", i, w, m.width, l)
		}
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestFrameOfFixedStateIsGolden(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		m, _ := view(size[0], size[1])
		golden(t, fmt.Sprintf("%dx%d", size[0], size[1]), content(t, m))
	}
	d := Data{State: fixedState(), Budget: fixedBudget(), Events: []control.EventEntry{{AtS: 1, Kind: "activated", Who: "Explore"}}}
	golden(t, "once", d.Plain(100))
}

func TestFrameFitsEveryTerminal(t *testing.T) {
	for width := 1; width < 140; width += 7 {
		for height := 1; height < 60; height += 3 {
			m, _ := view(width, height)
			content(t, m)
			press(m, "e")
			content(t, m)
			press(m, "n", "enter", "tab", "end")
			content(t, m)
		}
	}
}

func TestColoredFrameHasTheTextOfThePlainOne(t *testing.T) {
	m, _ := view(120, 40)
	plain := m.View().Content
	m.theme = colors()
	colored := m.View().Content
	if !strings.Contains(colored, "\x1b[") {
		t.Error("no line has a color")
	}
	if strings.Contains(colored, "\x1b[5m") || strings.Contains(colored, ";5m") {
		t.Error("something blinks")
	}
	if got := ansi.Strip(colored); got != plain {
		t.Errorf("without colors it is\n%s\nwant\n%s", got, plain)
	}
}

func TestEscapeSequencesInTextsAreNotObeyed(t *testing.T) {
	m, _ := view(80, 24)
	s := fixedState()
	s.Sentence.Text = "Greeting \x1b[2J\x07\u202eAda\nof \x9bHome"
	s.Stack[0].ID = "\x1b]0;title\x07"
	m.Update(stateMsg{state: s})
	for _, r := range content(t, m) {
		if r != '\n' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u202e') {
			t.Fatalf("the frame has %q", r)
		}
	}
}

func TestAnswerOfTheRobotIsForgottenButNotTheOneAfterIt(t *testing.T) {
	m, _ := view(80, 24)
	m.Update(answerMsg{text: "stopped"})
	m.Update(answerMsg{text: "resumed"})
	m.Update(forgetMsg(1))
	if frame := content(t, m); !strings.Contains(frame, "\nresumed\n") {
		t.Errorf("the newest answer is gone:\n%s", frame)
	}
	m.Update(forgetMsg(2))
	if frame := content(t, m); strings.Contains(frame, "resumed") || !strings.Contains(frame, "q quit") {
		t.Errorf("an old answer is shown:\n%s", frame)
	}
}

func TestPauseFreezesSectionsAndKeepsHeaderLive(t *testing.T) {
	m, _ := view(80, 24)
	press(m, "p")
	s := fixedState()
	s.Tick, s.EStop, s.Stack = 99999, true, nil
	m.Update(stateMsg{state: s})
	m.Update(eventMsg{event: control.EventEntry{AtS: 742, Kind: "stop", Text: "by a person"}})
	frame := content(t, m)
	for _, want := range []string{"tick 99999", "EMERGENCY STOP", "▶ Explore", "paused"} {
		if !strings.Contains(frame, want) {
			t.Errorf("a paused frame has no %q:\n%s", want, frame)
		}
	}
	if strings.Contains(frame, "by a person") {
		t.Error("a paused frame shows a new event")
	}
	press(m, "p")
	if frame = content(t, m); !strings.Contains(frame, "the stack is empty") || !strings.Contains(frame, "by a person") {
		t.Errorf("it does not go on:\n%s", frame)
	}
}

func TestLostRobotIsToldAndFoundAgain(t *testing.T) {
	m, _ := view(80, 24)
	at := m.seen.Add(12 * time.Second)
	_, cmd := m.Update(stateMsg{err: fmt.Errorf("%w at 127.0.0.1:8420", control.ErrUnreachable), at: at})
	if cmd == nil {
		t.Fatal("it does not ask again")
	}
	frame := content(t, m)
	if !strings.HasPrefix(frame, "gone for 12.0 s: no robotd answers at 127.0.0.1:8420\n") || !strings.Contains(frame, "▶ Explore") {
		t.Errorf("a lost robot is not told, or its last state is gone:\n%s", frame)
	}
	if _, cmd = m.Update(stateMsg{state: fixedState(), at: at}); cmd == nil || strings.Contains(content(t, m), "gone") {
		t.Error("it is not found again")
	}
	m.Update(stateMsg{err: fmt.Errorf("%w at 127.0.0.1:8420: connection refused; start one with 'robotd run', or name its address with --addr", control.ErrUnreachable)})
	if frame := content(t, m); !strings.Contains(frame, "start\none with 'robotd run', or name its address with --addr\nR1, up") {
		t.Errorf("a long reason is cut:\n%s", frame)
	}
	fresh := newModel(context.Background(), &told{}, nil)
	fresh.Update(stateMsg{err: control.ErrUnreachable})
	if frame := content(t, fresh); !strings.HasPrefix(frame, "no robotd answers\nasking again every second\n") {
		t.Errorf("a robot that never answered is not told:\n%s", frame)
	}
}

func TestScrollStopsAtBothEndsOfASection(t *testing.T) {
	m, _ := view(80, 24)
	press(m, "tab", "end")
	if frame := content(t, m); !strings.Contains(frame, "▸ scope") || !strings.Contains(frame, "Play7") {
		t.Errorf("the end of the scope is not shown:\n%s", frame)
	}
	at := m.scroll[1]
	if press(m, "down"); m.scroll[1] != at {
		t.Error("it scrolls beyond the end")
	}
	if press(m, "up"); m.scroll[1] != at-1 {
		t.Error("one step up from the end does nothing")
	}
	if press(m, "home", "up"); m.scroll[1] != 0 || strings.Contains(content(t, m), "Play7") {
		t.Error("it does not scroll back to the first line")
	}
	if press(m, "shift+tab", "shift+tab"); m.selected != len(sections)-1 {
		t.Error("Shift-tab from the first section does not select the last")
	}
	press(m, "enter")
	if frame := content(t, m); !strings.Contains(frame, "▸ expensive ─") || strings.Contains(frame, "devices") || !strings.Contains(frame, "Dear02") {
		t.Errorf("the section is not alone:\n%s", frame)
	}
}

func TestExpensiveListsTheTenDearest(t *testing.T) {
	d := Data{Budget: fixedBudget()}
	lines, head := budgetLines(&d, 60)
	if len(lines)-head != 10 || !strings.HasPrefix(lines[head].text, "Dear11") || !strings.HasPrefix(lines[len(lines)-1].text, "Dear02") {
		t.Errorf("%d lines: %v", len(lines)-head, lines)
	}
	m, _ := view(80, 24)
	m.Update(budgetMsg{err: errors.New("measured on a running robot only")})
	if frame := content(t, m); !strings.Contains(frame, "measured on a running robot only") {
		t.Errorf("the reason is not shown:\n%s", frame)
	}
}

func TestEventsAreBoundedAndLossesAreTold(t *testing.T) {
	m, _ := view(80, 24)
	for i := range 3 * keptEvents {
		m.Update(eventMsg{event: control.EventEntry{AtS: float64(i), Kind: "action"}})
	}
	m.Update(eventMsg{event: control.EventEntry{AtS: 999, Kind: "action"}, lost: 4})
	if len(m.live.Events) != keptEvents {
		t.Errorf("%d events are kept, want %d", len(m.live.Events), keptEvents)
	}
	if frame := content(t, m); !strings.Contains(frame, "4 events: this te") {
		t.Errorf("the loss is not told:\n%s", frame)
	}
}

func TestRobotWithoutMemorySaysWhyThereAreNoEvents(t *testing.T) {
	m, _ := view(80, 24)
	m.Update(recentMsg{err: control.ErrUnreachable})
	if frame := content(t, m); !strings.Contains(frame, "crc mis") {
		t.Errorf("the events of a robot that is gone are gone:\n%s", frame)
	}
	m.Update(recentMsg{err: control.ErrNoPast})
	if frame := content(t, m); !strings.Contains(frame, "this robot keeps no history") {
		t.Errorf("the reason is not shown:\n%s", frame)
	}
}

func TestQuitAndHelp(t *testing.T) {
	m, _ := view(80, 24)
	press(m, "?")
	if frame := content(t, m); !strings.Contains(frame, "emergency stop; y confirms") {
		t.Errorf("no help:\n%s", frame)
	}
	if cmd := press(m, "q"); cmd != nil || m.help {
		t.Error("the first key does not just close the help")
	}
	for _, keys := range [][]string{{"q"}, {"ctrl+c"}, {"e", "ctrl+c"}} {
		m, _ := view(80, 24)
		cmd := press(m, keys...)
		if cmd == nil {
			t.Fatalf("%v does not quit", keys)
		}
		if _, ok := cmd().(tea.QuitMsg); !ok {
			t.Errorf("%v does not quit", keys)
		}
	}
}
