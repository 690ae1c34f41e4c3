package actors

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// A tick takes the events that came before it, by source and in order of arrival from each source. An event that comes during
// the tick waits for the next one, and changes nothing of what the tick took.
// Rules: T-2, T-12.
func TestEventsDuringTickWaitForNextTick(t *testing.T) {
	in := newInbox()
	raise := func(source, tag string) {
		in.Raise(behaviors.Event{Source: source, Payload: behaviors.IntentPosted{Tag: tag}})
	}
	take := func() func() string {
		var tick engine.Input
		in.take(&tick)
		return func() (all string) {
			for _, e := range tick.Events {
				all += e.Source + "." + e.Payload.(behaviors.IntentPosted).Tag + " "
			}
			return all
		}
	}
	raise("touch", "a")
	raise("cliff", "b")
	raise("touch", "c")
	raise("cliff", "d")
	first := take()
	const want = "cliff.b cliff.d touch.a touch.c "
	if got := first(); got != want {
		t.Errorf("taken %q, want %q", got, want)
	}
	for _, tag := range []string{"e", "f", "g", "h"} {
		raise("touch", tag)
	}
	if got := first(); got != want {
		t.Errorf("during the tick it has become %q", got)
	}
	if second := take(); second() != "touch.e touch.f touch.g touch.h " {
		t.Errorf("the next tick takes %q", second())
	}
}

// A command that an operator posts during a tick waits for the next one, and changes nothing of what the tick took.
// Rules: T-2.
func TestCommandsDuringTickWaitForNextTick(t *testing.T) {
	in := newInbox()
	post := func(id string) {
		if _, err := in.Post(engine.Command{Kind: engine.RunBehavior, ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	var first, second engine.Input
	post("A")
	in.take(&first)
	post("B")
	if len(first.Commands) != 1 || first.Commands[0].ID != "A" {
		t.Errorf("during the tick its commands become %+v", first.Commands)
	}
	if in.take(&second); len(second.Commands) != 1 || second.Commands[0].ID != "B" {
		t.Errorf("the next tick takes %+v", second.Commands)
	}
}

// Rules: Q-8.
func TestCommandIsAnsweredOnce(t *testing.T) {
	in := newInbox()
	answered, err := in.Post(engine.Command{Kind: engine.Cancel})
	if err != nil {
		t.Fatal(err)
	}
	waits, err := in.Post(engine.Command{Kind: engine.Cancel})
	if err != nil {
		t.Fatal(err)
	}
	in.reply([]engine.Reply{{Number: 1}, {Number: 77}})
	if r := <-answered; r.Number != 1 || r.Err != "" {
		t.Errorf("answered with %+v", r)
	}
	in.close()
	in.refuse()
	if len(answered) != 0 {
		t.Errorf("answered again with %+v", <-answered)
	}
	if r := <-waits; r.Number != 2 || r.Err != errStopping.Error() {
		t.Errorf("the command that waited is answered with %+v", r)
	}
}

// A lateContext ends with err when it is told, and tells when somebody waits for it: then the command is in the inbox.
type lateContext struct {
	context.Context
	err         error
	waits, done chan struct{}
}

func (c *lateContext) Done() <-chan struct{} { close(c.waits); return c.done }

func (c *lateContext) Err() error { return c.err }

// "No tick answered" is true later, too: what no tick took when its time was over is withdrawn, what one took is answered by it. Who hangs up
// withdraws nothing.
// Rules: Q-8.
func TestCommandWhoseTimeIsOverIsWithdrawnOrAnswered(t *testing.T) {
	for _, c := range []struct {
		name        string
		err         error
		taken, told bool
		left        int // commands that the next tick takes
	}{
		{"late", context.DeadlineExceeded, false, false, 1},
		{"late, but taken", context.DeadlineExceeded, true, true, 1},
		{"hung up", context.Canceled, false, false, 2},
		{"hung up, taken", context.Canceled, true, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := newInbox()
			ctx := &lateContext{t.Context(), c.err, make(chan struct{}), make(chan struct{})}
			type result struct {
				r   engine.Reply
				err error
			}
			got := make(chan result)
			go func() {
				r, err := in.Do(ctx, engine.Command{Kind: engine.Reload})
				got <- result{r, err}
			}()
			<-ctx.waits
			var tick, next engine.Input
			if c.taken {
				in.take(&tick)
			}
			if _, err := in.Post(engine.Command{Kind: engine.Cancel}); err != nil {
				t.Fatal(err)
			}
			close(ctx.done)
			if c.told {
				in.reply([]engine.Reply{{Number: 1, Text: "done"}})
			}
			if g := <-got; c.told != (g.err == nil && g.r.Text == "done") || !c.told && !errors.Is(g.err, c.err) {
				t.Errorf("%+v", g)
			}
			if in.take(&next); len(next.Commands) != c.left || next.Commands[c.left-1].Kind != engine.Cancel {
				t.Errorf("the next tick takes %+v", next.Commands)
			}
		})
	}
}

// An emergency stop comes before all commands of its tick, is not refused when the inbox is full, and many are one, the newest.
// Rules: L-43.
func TestStopPassesFullInboxAndComesFirst(t *testing.T) {
	in := newInbox()
	for range maxCommands {
		if _, err := in.Post(engine.Command{Kind: engine.Cancel}); err != nil {
			t.Fatal(err)
		}
	}
	in.Stop(8)
	in.Stop(9)
	in.Stop(7)
	var first, second engine.Input
	in.take(&first)
	if n, c := len(first.Commands), first.Commands[0]; n != maxCommands+1 || c.Kind != engine.EStop || c.Stop != 9 {
		t.Errorf("%d commands, the first %+v", n, c)
	}
	if in.take(&second); len(second.Commands) != 0 {
		t.Errorf("the next tick is told again: %+v", second.Commands)
	}
}

// Day and night are facts of the input, so that a recording keeps them: a replay elsewhere has another time zone.
// Rules: data/3.3z.
func TestInputTellsWhetherItIsNight(t *testing.T) {
	in := newInbox()
	zone := time.FixedZone("here", 5*3600)
	for at, want := range map[string]bool{"21:59": false, "22:00": true, "00:30": true, "05:59": true, "06:00": false, "12:00": false} {
		now, err := time.ParseInLocation("2006-01-02 15:04", "2026-03-01 "+at, zone)
		if err != nil {
			t.Fatal(err)
		}
		tick := engine.Input{Now: now}
		if in.take(&tick); tick.World.Night != want {
			t.Errorf("%s: night %v", at, tick.World.Night)
		}
	}
}
