// Package notify tells a service manager how the daemon is: sd_notify(3). What is told goes through a goroutine of its own, so that a manager
// that does not read holds neither a tick nor a stop.
package notify

import (
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
)

const (
	// statusEvery is how often the status line is told at most.
	statusEvery = time.Second

	// closeLimit is how long Close waits for a manager that does not read.
	closeLimit = 200 * time.Millisecond

	// maxWaiting bounds what waits for the manager: a life has fewer such events than the manager reads in a second.
	maxWaiting = 16

	// maxStatus bounds the status line, in bytes.
	maxStatus = 400
)

// A Notifier speaks to the service manager. A nil one has none and does nothing.
type Notifier struct {
	log    *slog.Logger
	every  time.Duration // how often a tick wakes the goroutine at most
	send   func(state string) error
	says   func() string // what the robot does now; called by the goroutine
	events chan string
	beat   chan struct{} // a tick was completed
	quit   chan struct{}
	done   chan struct{}
	failed bool // an attempt to send; run's goroutine only

	woke time.Time // supervisor's goroutine only
	last uint64    // likewise
}

// New returns the notifier of this process, or nil if no service manager listens ($NOTIFY_SOCKET). Says tells what the robot does now.
func New(log *slog.Logger, says func() string) *Notifier {
	if os.Getenv("NOTIFY_SOCKET") == "" {
		return nil
	}
	watchdog, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("the watchdog of the service manager is not known", "why", err)
	}
	n := &Notifier{
		log: log, every: statusEvery, says: says,
		send:   func(state string) error { _, err := daemon.SdNotify(false, state); return err },
		events: make(chan string, maxWaiting), beat: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{}),
	}
	if watchdog > 0 {
		n.every = min(n.every, watchdog/4)
	}
	n.tell("STATUS=starting")
	go n.run()
	return n
}

// ObserveTick implements actors.TickObserver: a completed tick is what feeds the watchdog. Nothing else does.
func (n *Notifier) ObserveTick(t event.Tick, _ *engine.Output, _ *engine.Engine) {
	if t.N == n.last || t.Start.Sub(n.woke) < n.every { // the final drain, or too soon
		return
	}
	n.last, n.woke = t.N, t.Start
	select {
	case n.beat <- struct{}{}:
	default: // the goroutine is busy, or waits for the manager
	}
}

// Ready tells that the robot lives: the first tick is completed, or a reload is.
func (n *Notifier) Ready() { n.tell(daemon.SdNotifyReady) }

// Reloading tells that the definitions are read again. Ready ends it.
func (n *Notifier) Reloading() {
	n.tell(daemon.SdNotifyReloading + "\n" + strings.TrimSuffix(daemon.SdNotifyMonotonicUsec(), "\n"))
}

// Stopping tells that the robot stops.
func (n *Notifier) Stopping() { n.tell(daemon.SdNotifyStopping + "\nSTATUS=stopping") }

func (n *Notifier) tell(state string) {
	if n == nil {
		return
	}
	select {
	case n.events <- state:
	default:
		n.log.Warn("the service manager does not read what it is told", "lost", state)
	}
}

// Close tells what waits, for a limited time. Nothing is told afterwards.
func (n *Notifier) Close() {
	if n == nil {
		return
	}
	close(n.quit)
	late := time.NewTimer(closeLimit)
	defer late.Stop()
	select {
	case <-n.done:
	case <-late.C:
		n.log.Warn("the service manager does not read what it is told")
	}
}

// run sends until Close. It is the only one that waits for the manager. The status line goes with every so many beats, the watchdog with each.
func (n *Notifier) run() {
	defer close(n.done)
	perStatus := int((statusEvery + n.every - 1) / n.every)
	for beats := 0; ; {
		select {
		case state := <-n.events:
			n.try(state)
		case <-n.beat:
			state := daemon.SdNotifyWatchdog
			if beats%perStatus == 0 {
				state += "\nSTATUS=" + oneLine(n.says())
			}
			beats++
			n.try(state)
		case <-n.quit:
			n.drain()
			return
		}
	}
}

// drain sends the events that wait.
func (n *Notifier) drain() {
	for {
		select {
		case state := <-n.events:
			n.try(state)
		default:
			return
		}
	}
}

// try sends, and logs the first failure only.
func (n *Notifier) try(state string) {
	err := n.send(state)
	if err != nil && !n.failed {
		n.log.Warn("the service manager is not told how the robot is", "why", err)
	}
	n.failed = n.failed || err != nil
}

// oneLine makes a text fit for a status line.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxStatus {
		text = strings.ToValidUTF8(text[:maxStatus], "") + "…"
	}
	return text
}
