package actors

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// lister is a base behavior that has n others in scope and stays in control.
type lister struct{}

func (lister) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

var listerClass = behaviors.Class{Name: "Lister", New: func(cfg *behaviors.Config) behaviors.Behavior {
	cfg.DelegateList("next")
	return lister{}
}}

// numbered is n IDs that begin with a letter.
func numbered(letter string, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s%04d", letter, i)
	}
	return ids
}

// scope builds a catalog of a Lister over groups of behaviors: class → IDs.
func scope(t testing.TB, groups map[string][]string, classes ...behaviors.Class) *catalog.Catalog {
	t.Helper()
	var files, all []string
	for class, ids := range groups {
		for _, id := range ids {
			files = append(files, actorstest.File(class, id))
		}
		all = append(all, ids...)
	}
	files = append(files, actorstest.Listing("Lister", "Base", all...))
	return actorstest.Catalog(t, behaviors.NewRegistry(append(classes, listerClass)...), "Base", "Base", files...)
}

// alone builds a catalog of one behavior.
func alone(t testing.TB, class behaviors.Class) *catalog.Catalog {
	t.Helper()
	return actorstest.Catalog(t, behaviors.NewRegistry(class), "Base", "Base", actorstest.File(class.Name, "Base"))
}

// onTick is a tick observer.
type onTick func(event.Tick, *engine.Output, *engine.Engine)

// ObserveTick implements TickObserver.
func (f onTick) ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine) { f(t, o, e) }

// inVirtualTime starts a robot without devices that ticks as fast as the machine can.
func inVirtualTime(b testing.TB, cat *catalog.Catalog, observe onTick) (run func(ticks int), stop func()) {
	b.Helper()
	cfg := Config{Catalog: cat, Timeline: clock.NewVirtual(actorstest.Epoch)}
	if observe != nil {
		cfg.Ticks = []TickObserver{observe}
	}
	s, err := Start(cfg)
	if err != nil {
		b.Fatal(err)
	}
	return func(ticks int) {
			if err := s.RunFor(time.Duration(ticks)*DefaultPeriod, nil); err != nil {
				b.Fatal(err)
			}
		}, func() {
			if err := s.Stop(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
}

// percentile sorts ds and picks one in microseconds, rounded up: of few values the highest percentiles are the largest.
func percentile(ds []time.Duration, p float64) float64 {
	slices.Sort(ds)
	return float64(ds[int(math.Ceil(float64(len(ds)-1)*p/100))].Nanoseconds()) / 1e3
}
