package bench

import (
	"fmt"

	"github.com/anthdm/hollywood/actor"
	_ "github.com/robotd/robotd/bench/oneproto" // before protobuf
)

type (
	hollyTick struct{}
	hollyDone struct{}
)

// hollywood sends to every actor; each responds to a collector, which reports when all have.
type hollywood struct {
	engine    *actor.Engine
	pids      []*actor.PID
	collector *actor.PID
	all       chan struct{}
}

func newHollywood(us []*Unit) (Barrier, error) {
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return nil, fmt.Errorf("hollywood: %w", err)
	}
	h := &hollywood{engine: engine, all: make(chan struct{}, 1)}
	answers := 0
	h.collector = engine.SpawnFunc(func(c *actor.Context) {
		if _, ok := c.Message().(hollyDone); ok {
			if answers++; answers == len(us) {
				answers = 0
				h.all <- struct{}{}
			}
		}
	}, "collector")
	for i, u := range us {
		h.pids = append(h.pids, engine.SpawnFunc(func(c *actor.Context) {
			if _, ok := c.Message().(hollyTick); ok {
				u.Update()
				c.Respond(hollyDone{})
			}
		}, "unit", actor.WithID(fmt.Sprint(i))))
	}
	return h, nil
}

func (h *hollywood) Tick() {
	for _, pid := range h.pids {
		h.engine.SendWithSender(pid, hollyTick{}, h.collector)
	}
	<-h.all
}

func (h *hollywood) Close() {
	for _, pid := range append(h.pids, h.collector) {
		<-h.engine.Poison(pid).Done()
	}
}

// askHollywood asks each actor in turn and waits for its response.
type askHollywood struct {
	engine *actor.Engine
	pids   []*actor.PID
}

func newAskHollywood(qs []*Question) (Asker, error) {
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return nil, fmt.Errorf("hollywood: %w", err)
	}
	a := &askHollywood{engine: engine}
	for i, q := range qs {
		a.pids = append(a.pids, engine.SpawnFunc(func(c *actor.Context) {
			if _, ok := c.Message().(hollyTick); ok {
				c.Respond(q.Wants())
			}
		}, "unit", actor.WithID(fmt.Sprint(i))))
	}
	return a, nil
}

func (a *askHollywood) Tick() int {
	return first(len(a.pids), func(i int) bool {
		answer, err := a.engine.Request(a.pids[i], hollyTick{}, requestTimeout).Result()
		return must(answer, err)
	})
}

func (a *askHollywood) Close() {
	for _, pid := range a.pids {
		<-a.engine.Poison(pid).Done()
	}
}
