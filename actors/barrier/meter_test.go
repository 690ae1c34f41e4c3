package barrier

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A bench meter has a clock of its own.
func benchMeter() (m *meter, now *time.Time) {
	at := actorstest.Epoch
	return &meter{start: at, now: func() time.Time { return at }, byID: map[string]*hookTimes{}}, &at
}

func named(id string) *engine.Cell { return &engine.Cell{Node: &stack.Node{ID: id}} }

// What a hook waits for the hooks of others, in any depth, is theirs.
func TestMeterChargesNestedHooksToTheirBehaviors(t *testing.T) {
	m, now := benchMeter()
	a, b, c := named("A"), named("B"), named("C")
	pass := func(us int) { *now = now.Add(time.Duration(us) * time.Microsecond) }
	outer := m.begin()
	pass(10)
	middle := m.begin()
	pass(20)
	inner := m.begin()
	pass(400)
	m.end(c, inner)
	pass(1)
	m.end(b, middle)
	again := m.begin()
	pass(30)
	m.end(b, again)
	pass(5)
	m.end(a, outer)
	m.end(a, lap{}) // left out
	got := m.times()
	want := []HookTime{
		{ID: "C", Calls: 1, Sum: 400 * time.Microsecond, P99: 400 * time.Microsecond, Worst: 400 * time.Microsecond},
		{ID: "B", Calls: 2, Sum: 51 * time.Microsecond, P99: 30 * time.Microsecond, Worst: 30 * time.Microsecond},
		{ID: "A", Calls: 1, Sum: 15 * time.Microsecond, P99: 15 * time.Microsecond, Worst: 15 * time.Microsecond},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestMeterTellsPercentilesAndForgetsAfterAMinute(t *testing.T) {
	m, now := benchMeter()
	a := named("A")
	for i := range 1000 {
		l := m.begin()
		*now = now.Add(time.Duration(i+1) * time.Microsecond)
		m.end(a, l)
	}
	got := m.times()
	if len(got) != 1 || got[0].Calls != 1000 || got[0].Worst != time.Millisecond || got[0].P99 < 990*time.Microsecond || got[0].P99 > time.Millisecond {
		t.Errorf("%+v", got)
	}
	*now = now.Add(50 * time.Second)
	if got := m.times(); len(got) != 1 {
		t.Error("forgotten after 50 s")
	}
	*now = now.Add(10 * time.Second)
	if got := m.times(); len(got) != 0 {
		t.Errorf("a minute later: %+v", got)
	}
}

func TestTimeBucketsContainTheirValues(t *testing.T) {
	before := -1
	for d := time.Duration(0); d < 20*time.Second; d += max(d/50, 50*time.Nanosecond) {
		b := timeBucket(d)
		if b < before || b < meterBuckets-1 && (d >= bucketEnd(b) || float64(bucketEnd(b)) > 1.26*float64(d)+300) {
			t.Fatalf("%v is in bucket %d up to %v, after bucket %d", d, b, bucketEnd(b), before)
		}
		before = b
	}
	if before != meterBuckets-1 {
		t.Errorf("20 s is in bucket %d", before)
	}
}

// A behavior has one entry, whatever becomes of its incarnations, and none when nothing of it was measured for a minute.
func TestMeterForgetsWhatIsGone(t *testing.T) {
	m, now := benchMeter()
	for _, c := range []*engine.Cell{named("A"), named("A"), named("B")} {
		l := m.begin()
		*now = now.Add(time.Millisecond)
		m.end(c, l)
	}
	if all := m.times(); len(all) != 2 || all[0].ID != "A" || all[0].Calls != 2 {
		t.Errorf("%+v", all)
	}
	*now = now.Add(2 * time.Minute)
	if all := m.times(); len(all) > 0 || len(m.byID) > 0 {
		t.Errorf("%+v, %d kept", all, len(m.byID))
	}
}

// Hooks are measured while somebody asks, and not otherwise.
func TestHooksAreMeasuredWhileSomebodyReads(t *testing.T) {
	b, stop := start(t, patient)
	defer stop()
	e, err := engine.New(engine.Options{Catalog: actorstest.Probes(t, scopeOf(3, ""), nil, nil), Hooks: b})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	n := uint64(0)
	ticks := func(count int) {
		for range count {
			n++
			now := actorstest.Epoch.Add(time.Duration(n) * period)
			e.Step(engine.Input{Tick: n, Now: now, World: hardware.Snapshot{Now: now}})
			b.EndTick()
		}
	}
	ticks(3)
	if times, measured := b.HookTimes(); measured || len(times) > 0 {
		t.Errorf("measured although nobody asked: %+v", times)
	}
	ticks(10)
	times, measured := b.HookTimes()
	calls := map[string]uint64{}
	for _, h := range times {
		calls[h.ID] = h.Calls
		if h.Sum <= 0 || h.Worst > h.Sum {
			t.Errorf("%+v", h)
		}
	}
	if !measured || len(calls) != 4 || calls["N0000"] != 10 || calls["N0002"] != 10 {
		t.Errorf("measured %t, calls %v", measured, calls)
	}
	b.kept.until.Store(0) // ten seconds later
	ticks(5)
	if again, measured := b.HookTimes(); measured || again[0].Calls > calls[again[0].ID]+1 {
		t.Errorf("still measured: %t, %+v", measured, again)
	}
}
