package bench

import (
	"io"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	_ "github.com/robotd/robotd/bench/oneproto" // before protobuf
)

type (
	protoTick struct{}
	protoDone struct{}
)

// requestTimeout is how long a request waits for its answer.
const requestTimeout = 10 * time.Second

// proto is protoactor with its defaults: dispatcher, mailbox, supervision.
type proto struct {
	system *actor.ActorSystem
	pids   []*actor.PID
}

func newProto(us []*Unit) proto {
	p := proto{system: actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}))}
	for _, u := range us {
		p.pids = append(p.pids, p.system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if _, ok := c.Message().(*protoTick); ok {
				u.Update()
				c.Respond(&protoDone{})
			}
		})))
	}
	return p
}

func (p *proto) Close() {
	for _, pid := range p.pids {
		_ = p.system.Root.StopFuture(pid).Wait()
	}
	p.system.Shutdown()
}

// protoRequest asks each actor in turn and waits for its future.
type protoRequest struct{ proto }

func newProtoRequest(us []*Unit) (Barrier, error) { return &protoRequest{newProto(us)}, nil }

func (p *protoRequest) Tick() {
	for _, pid := range p.pids {
		if _, err := p.system.Root.RequestFuture(pid, &protoTick{}, requestTimeout).Result(); err != nil {
			panic(err)
		}
	}
}

// protoSend sends to every actor; each responds to a collector, which reports when all have.
type protoSend struct {
	proto
	collector *actor.PID
	all       chan struct{}
}

func newProtoSend(us []*Unit) (Barrier, error) {
	p := &protoSend{proto: newProto(us), all: make(chan struct{}, 1)}
	answers := 0
	p.collector = p.system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if _, ok := c.Message().(*protoDone); ok {
			if answers++; answers == len(us) {
				answers = 0
				p.all <- struct{}{}
			}
		}
	}))
	return p, nil
}

func (p *protoSend) Tick() {
	for _, pid := range p.pids {
		p.system.Root.RequestWithCustomSender(pid, &protoTick{}, p.collector)
	}
	<-p.all
}

func (p *protoSend) Close() {
	_ = p.system.Root.StopFuture(p.collector).Wait()
	p.proto.Close()
}

// askProto asks each protoactor in turn and waits for its future.
type askProto struct {
	system *actor.ActorSystem
	pids   []*actor.PID
}

func newAskProto(qs []*Question) (Asker, error) {
	a := &askProto{system: actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}))}
	for _, q := range qs {
		a.pids = append(a.pids, a.system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			if _, ok := c.Message().(*protoTick); ok {
				c.Respond(q.Wants())
			}
		})))
	}
	return a, nil
}

func (a *askProto) Tick() int {
	return first(len(a.pids), func(i int) bool {
		answer, err := a.system.Root.RequestFuture(a.pids[i], &protoTick{}, requestTimeout).Result()
		return must(answer, err)
	})
}

func (a *askProto) Close() {
	for _, pid := range a.pids {
		_ = a.system.Root.StopFuture(pid).Wait()
	}
	a.system.Shutdown()
}
