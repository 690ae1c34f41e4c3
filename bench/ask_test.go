package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
)

// Every peer asks every unit up to the first that says yes, exactly once per tick and in order.
func TestEveryUnitIsAskedOncePerTickUpToTheFirstYes(t *testing.T) {
	const n = 20
	for _, p := range AskPeers {
		for _, yes := range []int{noUnit, 0, n - 1} {
			t.Run(fmt.Sprintf("%s/%d", p.Name, yes), func(t *testing.T) {
				qs := questions(n, yes)
				a, err := p.New(qs)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Close()
				for range 3 {
					for _, q := range qs {
						q.Asked = 0
					}
					if got := a.Tick(); got != yes {
						t.Fatalf("unit %d said yes, want %d", got, yes)
					}
				}
				inControl := strings.HasPrefix(p.Name, Ours) && yes != noUnit // it has control and is not asked any more
				for i, q := range qs {
					want := 0
					if p.Own && (yes == noUnit || i <= yes) && !(inControl && i == yes) {
						want = 1
					}
					if q.Asked != want {
						t.Errorf("unit %d was asked %d times, want %d", i, q.Asked, want)
					}
				}
			})
		}
	}
}

// The gates of robotd have no counter: the stack remembers when each unit was asked last, and what it answered.
func TestGatedUnitsAreAllAskedInEveryTick(t *testing.T) {
	a, err := newAskRobotdDirect(questions(20, noUnit))
	if err != nil {
		t.Fatal(err)
	}
	direct := a.(askDirect)
	for range 3 {
		direct.Tick()
		for _, n := range direct.engine.Stack().Nodes() {
			if tick, yes := n.Asked(); n.ID != baseID && n.ID != stayID && (tick != direct.tick || yes) {
				t.Fatalf("%s was asked in tick %d and said %t, now is tick %d", n.ID, tick, yes, direct.tick)
			}
		}
	}
}

// checkRealistic is a tick observer that says what is not as the realistic tick promises.
type checkRealistic struct {
	complaint string
	ticks     int
}

func (c *checkRealistic) see(tick event.Tick, e *engine.Engine) {
	if c.ticks++; c.ticks <= 3 {
		return // the devices have just opened
	}
	asked := 0
	for _, n := range e.Stack().Nodes() {
		if at, yes := n.Asked(); at == tick.N && !yes {
			asked++
		}
	}
	if top, acts := topOf(e), len(e.Actions().Running()); asked != 161 || top != playerID || acts == 0 {
		c.complaint = fmt.Sprintf("tick %d: %d units said no, %s has control, %d actions", tick.N, asked, top, acts)
	}
}

func TestRealisticTickAsksEveryUnitWhileAnAnimationRuns(t *testing.T) {
	c := &checkRealistic{}
	r, err := newRealistic(161)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.top.also = c.see
	for range 200 {
		r.Tick()
	}
	if c.complaint != "" || c.ticks < 190 {
		t.Errorf("%d ticks; %s", c.ticks, c.complaint)
	}
}

func TestProgramOfBTCPPIsReadOrNamedInTheError(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"echo $1 $2 $3 >&2; echo 174.5 173.25", ""},
		{"echo quick", "two numbers"},
		{"exit 3", "exit status 3"},
	} {
		program := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(BTCPPVariable, program)
		wall, cpu, err := askBTCPP(t.Context(), "sequence", 10)
		switch {
		case c.want == "" && (err != nil || wall != 174.5 || cpu != 173.25):
			t.Errorf("%q: %g %g %v", c.script, wall, cpu, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), program)):
			t.Errorf("%q: %v", c.script, err)
		}
	}
}

// BenchmarkAsk is one tick in which n units are asked and all say no, under each runtime. BehaviorTree.CPP takes part if its program is
// there.
func BenchmarkAsk(b *testing.B) {
	for _, n := range []int{10, 100, 161, 1000} {
		for _, p := range AskPeers {
			b.Run(fmt.Sprintf("%s/%d", p.Name, n), func(b *testing.B) {
				a, err := p.New(questions(n, noUnit))
				if err != nil {
					b.Fatal(err)
				}
				defer a.Close()
				ticks(b, n, func() { a.Tick() })
			})
		}
		if os.Getenv(BTCPPVariable) == "" {
			continue
		}
		for _, kind := range BTCPPKinds {
			b.Run(fmt.Sprintf("%s/%d", BTCPPName(kind), n), func(b *testing.B) {
				var wall, cpu float64
				for b.Loop() {
					w, c, err := askBTCPP(b.Context(), kind, n)
					if err != nil {
						b.Fatal(err)
					}
					wall, cpu = wall+w, cpu+c
				}
				b.ReportMetric(wall/float64(b.N), "ns/unit")
				b.ReportMetric(cpu/float64(b.N), "cpu-ns/unit")
			})
		}
	}
}

// BenchmarkRealistic is the tick of a robot that does something.
func BenchmarkRealistic(b *testing.B) {
	const n = 161
	b.Run(fmt.Sprintf("%s/%d", Ours, n), func(b *testing.B) {
		r, err := newRealistic(n)
		if err != nil {
			b.Fatal(err)
		}
		defer r.Close()
		ticks(b, n, r.Tick)
	})
}

// ticks measures whole ticks of n units: by the clock, in processor time, and in allocations of the whole process.
func ticks(b *testing.B, n int, tick func()) {
	for range 10 {
		tick()
	}
	runtime.GC()
	var before, after runtime.MemStats
	b.ReportAllocs()
	runtime.ReadMemStats(&before)
	used, begin := processorTime(b), time.Now()
	for b.Loop() {
		tick()
	}
	wall, cpu := time.Since(begin), processorTime(b)-used
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(wall.Nanoseconds())/float64(b.N)/float64(n), "ns/unit")
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N)/float64(n), "cpu-ns/unit")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(b.N), "allocs/tick")
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
