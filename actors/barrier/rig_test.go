package barrier

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/event"
	"pgregory.net/rapid"
)

const (
	// period is the time between two ticks.
	period = 60 * time.Millisecond
	// patient tells "on time" from "never" on any machine.
	patient = 3 * time.Second
)

// start makes a barrier on an actor system of its own.
func start(t rapid.TB, budget time.Duration, observers ...event.Observer) (b *Barrier, stop func()) {
	t.Helper()
	sys := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	b, err := New(sys, Options{Budget: budget, Observer: event.Tee(observers)})
	if err != nil {
		t.Fatal(err)
	}
	return b, func() { b.Close(); sys.Shutdown() }
}
