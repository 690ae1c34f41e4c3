package actors

import (
	"context"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// Rules: L-44.
func TestChangedDefinitionsLeaveNoActorBehind(t *testing.T) {
	reg := behaviors.NewRegistry(listerClass)
	lists := func(ids ...string) *catalog.Catalog {
		files := []string{actorstest.Listing("Lister", "Base", ids...)}
		for _, id := range ids {
			files = append(files, actorstest.Listing("Lister", id))
		}
		return actorstest.Catalog(t, reg, "Base", "Base", files...)
	}
	sets := []*catalog.Catalog{lists("A", "B", "C"), lists("A", "D", "E", "F", "G"), lists("B")}
	var s *System
	cfg := Config{Catalog: sets[0], Timeline: clock.NewVirtual(actorstest.Epoch)}
	cfg.Changes = func(c *engine.Command) (*catalog.Change, error) {
		return catalog.Compare(s.Engine().Catalog(), sets[c.Set])
	}
	s, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	begin := s.Actors()
	for _, set := range []int{1, 2, 1, 0, 2, 0} {
		answer, err := s.Inbox().Post(engine.Command{Kind: engine.Reload, Set: uint64(set)})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.RunFor(5*DefaultPeriod, nil); err != nil {
			t.Fatal(err)
		}
		if r := <-answer; r.Err != "" {
			t.Fatal(r.Err)
		}
		if want := begin + len(sets[set].Entries) - len(sets[0].Entries); s.Actors() != want {
			t.Errorf("set %d: %d actors, want %d", set, s.Actors(), want)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		t.Error(err)
	}
}
