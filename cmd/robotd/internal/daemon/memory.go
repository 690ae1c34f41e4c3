package daemon

import (
	"log/slog"
	"sync"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// keepEvery is how often what the robot knows is written: a process that is killed forgets as much.
const keepEvery = 10 * time.Second

// A keeper writes what the robot knows to a file. It observes ticks; no tick waits for the disk.
type keeper struct {
	file   string
	log    *slog.Logger
	last   time.Time // supervisor's goroutine only
	newest uint64    // tick
	chosen uint64    // what people set for good, by engine.Settings: it is written at once
	queue  chan kept
	done   chan struct{}
	end    sync.Once
	failed bool // the newest attempt, which was told
}

// kept is a memory and when it was true.
type kept struct {
	memory *engine.Memory
	at     time.Time
}

// newKeeper starts a keeper.
func newKeeper(file string, log *slog.Logger) *keeper {
	k := &keeper{file: file, log: log, queue: make(chan kept, 1), done: make(chan struct{})}
	go k.run()
	return k
}

// ObserveTick implements actors.TickObserver. It is called once more for the newest tick when the stack is drained, and that memory is the
// last.
func (k *keeper) ObserveTick(t event.Tick, _ *engine.Output, e *engine.Engine) {
	drained := t.N == k.newest
	k.newest = t.N
	chosen := e.Settings() != k.chosen
	k.chosen = e.Settings()
	if !drained && !chosen && t.Start.Sub(k.last) < keepEvery {
		return
	}
	k.last = t.Start
	next := kept{e.Memory(), time.Now()}
	for {
		select {
		case k.queue <- next:
			return
		default:
		}
		select { // an older one that waits for a slow disk
		case <-k.queue:
		default:
		}
	}
}

func (k *keeper) run() {
	defer close(k.done)
	for next := range k.queue {
		err := setup.WriteMemory(k.file, next.memory, next.at)
		if err != nil && !k.failed {
			k.log.Warn("what the robot knows is not kept", "file", k.file, "why", err)
		}
		k.failed = err != nil
	}
}

// close writes what waits, for a limited time. Nothing is observed any more.
func (k *keeper) close(limit time.Duration) {
	if k == nil {
		return
	}
	k.end.Do(func() { close(k.queue) })
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-k.done:
	case <-late.C:
		k.log.Warn("what the robot knows is not kept", "file", k.file, "why", "the disk is too slow")
	}
}
