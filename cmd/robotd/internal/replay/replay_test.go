package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// catalogOf reads a tree with some classes beside the shipped ones.
func catalogOf(t testing.TB, tree fs.FS, classes ...behaviors.Class) *catalog.Catalog {
	t.Helper()
	cat, diags := setup.Tree{FS: tree}.Catalog(library.Registry(classes...))
	if cat == nil {
		t.Fatal(diags)
	}
	return cat
}

// A studio records what a robot decides.
type studio struct {
	queue *tape.Queue
	life  record.Life
	tree  *record.Tree
	part  int64
	spoil func(tick uint64, message []byte) []byte // nil: as it is
}

func newStudio(t testing.TB, tree fs.FS) *studio {
	t.Helper()
	kept, err := setup.Tree{FS: tree}.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	life := replay.Here("test")
	life.ID, life.Begin, life.ResourcesHash = record.NewLifeID(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), kept.Hash
	return &studio{queue: tape.NewQueue(1 << 20), life: life, tree: kept}
}

func (s *studio) options(cat *catalog.Catalog, seed uint64) setup.Options {
	o := setup.Options{Catalog: cat, Seed: seed, Log: slog.New(slog.DiscardHandler), Version: "test", Tape: tape.NewRecorder(s.queue.Put)}
	if err := o.Validate(); err != nil {
		panic(err)
	}
	return o
}

// write writes what was recorded into a fresh folder.
func (s *studio) write(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := record.NewWriter(record.Options{
		Dir: dir, Life: s.life, Topics: []record.Topic{{Name: record.Tape, Opaque: true}}, Resources: s.tree, Part: s.part, Wait: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.queue.Drain(1<<60, func(tick uint64, at time.Duration, data []byte) {
		if s.spoil != nil {
			if data = s.spoil(tick, data); data == nil {
				return
			}
		}
		w.Tick(tick, at, []record.Message{{Tick: tick, At: at, Topic: record.Tape, Data: data}})
	})
	if err := w.Close(0); err != nil {
		t.Fatal(err)
	}
	return dir
}

func opened(t testing.TB, path string) *record.Reader {
	t.Helper()
	h, err := record.OpenLife(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// verified decides a recording again with the tree that it carries.
func verified(t testing.TB, path string, classes ...behaviors.Class) *replay.Verdict {
	t.Helper()
	h := opened(t, path)
	tree, err := replay.Tree(h)
	if err != nil {
		t.Fatal(err)
	}
	v, err := replay.Verify(h, catalogOf(t, tree.FS, classes...), nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func words(t testing.TB, write func(w *strings.Builder) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shippedLife is a life of the shipped robot with broken devices and with people.
func shippedLife(t testing.TB, d time.Duration) *studio {
	t.Helper()
	s := newStudio(t, resources.Embedded())
	o := s.options(catalogOf(t, s.tree), 3)
	var script []headless.Line
	for _, f := range []string{"5s motors brownout", "11s cliff stuck 2s", "20s imu nack 3s"} {
		l, err := headless.ParseFault(f, o)
		if err != nil {
			t.Fatal(err)
		}
		script = append(script, l)
	}
	for _, a := range []string{"8s pickup", "9s putdown", "15s touch seconds=2", "25s shake"} {
		l, err := headless.ParseAct(a, o)
		if err != nil {
			t.Fatal(err)
		}
		script = append(script, l)
	}
	headless.SortScript(script)
	if _, err := headless.Run(t.Context(), o, headless.Options{For: d, Script: script}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Rules: goal/M8.
func TestRecordedLifeWithFaultsIsDecidedAgain(t *testing.T) {
	v := verified(t, shippedLife(t, time.Minute).write(t))
	if v.Parted != nil || v.Unreadable != nil || v.Ticks != 1000 || v.Lived != time.Minute {
		t.Errorf("%+v", v)
	}
	if text := words(t, func(w *strings.Builder) error { return v.Write(w) }); !strings.Contains(text, "1000 ticks, 1m0s of robot time") || !strings.Contains(text, "every tick agrees") {
		t.Error(text)
	}
}

// A robot decides the same whether it is recorded or not.
func TestRecordingChangesNoDecision(t *testing.T) {
	for _, seed := range []uint64{11, 13} {
		var hashes [2]string
		for i := range hashes {
			s := newStudio(t, resources.Embedded())
			o := s.options(catalogOf(t, s.tree), seed)
			if i == 0 {
				o.Tape = nil
			}
			sum, err := headless.Run(t.Context(), o, headless.Options{For: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			hashes[i] = sum.DecisionHash
		}
		if hashes[0] != hashes[1] {
			t.Errorf("seed %d: %s, recorded %s", seed, hashes[0], hashes[1])
		}
	}
}

// troubled is a behavior that panics now and then; the one called B hangs in a tick.
type troubled struct{ hang chan struct{} }

func (b *troubled) Update(c *behaviors.Control) {
	if b.hang != nil && c.Tick() == 30 && c.ID() == "B" {
		<-b.hang
	}
	switch n := c.Rand().IntN(40); {
	case n == 0:
		panic("by chance")
	case n < 20:
		c.Suggest(fmt.Sprint(n))
	}
}

func (*troubled) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (*troubled) WantsToBeActivated(c *behaviors.Control) bool {
	if c.Rand().IntN(30) == 0 {
		panic("in an answer")
	}
	return c.Tick()%3 > 0
}

func troubledClass(hang chan struct{}) behaviors.Class {
	return behaviors.Class{Name: "Troubled", Doc: "Panics.", New: func(*behaviors.Config) behaviors.Behavior { return &troubled{hang} }}
}

func troubledTree() fs.FS {
	return fstest.MapFS{
		catalog.BootFile:      {Data: []byte(`{"normalBaseBehavior": "Base", "fallbackBehavior": "Safe", "userIntents": []}`)},
		"behaviors/Base.json": {Data: []byte(`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["A", "B", "C"]}`)},
		"behaviors/Safe.json": {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "Safe"}`)},
		"behaviors/A.json":    {Data: []byte(`{"behaviorClass": "Troubled", "behaviorID": "A"}`)},
		"behaviors/B.json":    {Data: []byte(`{"behaviorClass": "Troubled", "behaviorID": "B"}`)},
		"behaviors/C.json":    {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "C"}`)},
	}
}

// Rules: goal/M8.
func TestRecordedLifeWithPanicsIsDecidedAgain(t *testing.T) {
	s := newStudio(t, troubledTree())
	cat := catalogOf(t, s.tree, troubledClass(nil))
	sum, err := headless.Run(t.Context(), s.options(cat, 1), headless.Options{For: time.Minute})
	if err != nil || sum.Panics < 4 {
		t.Fatalf("%d panics, %v", sum.Panics, err)
	}
	if v := verified(t, s.write(t), troubledClass(nil)); v.Parted != nil || v.Unreadable != nil || v.Ticks != 1000 {
		t.Errorf("%+v", v)
	}
}

// counting counts the hangs of hooks and closes over after some ticks.
type counting struct {
	hangs atomic.Int32
	ticks uint64
	over  chan struct{}
}

func (c *counting) Observe(r event.Record) {
	if f, ok := r.(event.Failure); ok && f.Reason == "hang" {
		c.hangs.Add(1)
	}
}

func (c *counting) ObserveTick(t event.Tick, _ *engine.Output, _ *engine.Engine) {
	if t.N == c.ticks {
		close(c.over)
	}
}

// A live robot whose hook hangs is decided again by a program in which it would hang again: the replay does not run it.
// Rules: goal/M8.
func TestRecordedLiveLifeWithHangIsDecidedAgain(t *testing.T) {
	s := newStudio(t, troubledTree())
	hang := make(chan struct{})
	o := s.options(catalogOf(t, s.tree, troubledClass(hang)), 1)
	o.Period = 20 * time.Millisecond
	robot, c := simrobot.New(profile.R1(), clock.Live{}, 1, true), &counting{ticks: 50, over: make(chan struct{})}
	system, err := robot.Start(o, clock.Live{}, c, []actors.TickObserver{c}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	<-c.over
	close(hang)
	if err := errors.Join(system.Stop(context.Background()), robot.Safety.Close()); err != nil || c.hangs.Load() != 1 {
		t.Fatalf("%d hangs, %v", c.hangs.Load(), err)
	}
	again := make(chan struct{}) // never closed: a hook that runs again hangs here
	if v := verified(t, s.write(t), troubledClass(again)); v.Parted != nil || v.Unreadable != nil || v.Ticks < 50 {
		t.Errorf("%+v", v)
	}
}

// A behavior that was changed since is found with the tick and the line.
func TestChangedBehaviorIsFoundWithTickAndLine(t *testing.T) {
	words1, words2 := "one", "two"
	class := func(word *string) behaviors.Class {
		return behaviors.Class{Name: "Troubled", Doc: "Suggests.", New: func(*behaviors.Config) behaviors.Behavior { return saying{word} }}
	}
	s := newStudio(t, troubledTree())
	if _, err := headless.Run(t.Context(), s.options(catalogOf(t, s.tree, class(&words1)), 1), headless.Options{For: 6 * time.Second}); err != nil {
		t.Fatal(err)
	}
	dir := s.write(t)
	if v := verified(t, dir, class(&words1)); v.Parted != nil || v.Ticks != 100 {
		t.Fatalf("%+v", v)
	}
	v := verified(t, dir, class(&words2))
	asJSON, err := json.Marshal(v)
	if err != nil || !strings.Contains(string(asJSON), `"agrees":false,"parted":{"tick":50,"at_s":3,"line":`) {
		t.Errorf("as JSON %s, %v", asJSON, err)
	}
	if v.Parted == nil || v.Parted.At.Tick != 50 || v.Parted.At.At != 3*time.Second || v.Ticks != 49 {
		t.Fatalf("%+v", v)
	}
	text := words(t, func(w *strings.Builder) error { return v.Write(w) })
	for _, want := range []string{"tick 50, at 3s, parts from the recording in line 5:", `recorded  > display hardware.ShowFace{Face:"one"`, `here      > display hardware.ShowFace{Face:"two"`} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// saying shows a word in the 50th tick.
type saying struct{ word *string }

func (s saying) Update(c *behaviors.Control) {
	if c.Tick() == 50 && c.ID() == "A" {
		c.Send(hardware.ShowFace{Face: *s.word})
	}
}

// What was measured of the robot changes what its devices read, which is recorded: a replay needs no calibration.
func TestCalibratedLifeIsDecidedAgainWithoutTheCalibration(t *testing.T) {
	s := newStudio(t, resources.Embedded())
	o := s.options(catalogOf(t, s.tree), 3)
	plain, err := headless.Run(t.Context(), o, headless.Options{For: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	s = newStudio(t, resources.Embedded())
	o = s.options(catalogOf(t, s.tree), 3)
	wheel := profile.R1().Drive.WheelMM * 1.1
	o.Calibration = profile.Calibration{"wheel_mm(left)": wheel, "wheel_mm(right)": wheel, "battery_factor": 1.02}
	sum, err := headless.Run(t.Context(), o, headless.Options{For: time.Minute})
	if err != nil || sum.DecisionHash == plain.DecisionHash {
		t.Fatalf("%v: the calibration changed nothing", err)
	}
	if v := verified(t, s.write(t)); v.Parted != nil || v.Unreadable != nil || v.Ticks != 1000 {
		t.Errorf("%+v", v)
	}
}
