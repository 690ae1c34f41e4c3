package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// Limits of the inbox.
const (
	// At the limit the oldest event is dropped and counted. The engine takes 1024 events a tick; 64 are left for its own.
	maxInboxEvents = 1024 - 64
	maxCommands    = 1024 // operator commands beyond it are refused
)

// staleAfter is how many periods of a device may pass before its reading counts as stale.
const staleAfter = 3

// An Inbox collects what happens between two ticks: the newest sample of each device, events, and operator commands. It may
// be used by any goroutine.
type Inbox struct {
	readings hardware.Guard // guards what device actors put; left open in virtual time, where they and the tick run one at a time
	snapshot hardware.Snapshot
	limits   [hardware.Devices]time.Duration // how old readings may grow, by the place of a device in hardware.Names

	mu       sync.Mutex // guards what follows
	events   []behaviors.Event
	seqs     map[string]uint64
	dropped  uint64
	commands []engine.Command
	plans    []actions.PathAnswer // in the order in which they came
	waiting  map[uint64]chan engine.Reply
	number   uint64
	stop     uint64 // number of the newest emergency stop that no tick took yet; 0 for none
	closed   bool
}

func newInbox() *Inbox {
	return &Inbox{seqs: map[string]uint64{}, waiting: map[uint64]chan engine.Reply{}}
}

// Put keeps a sample as the newest of its device. A value of the wrong type panics.
func (i *Inbox) Put(s *hardware.Sample) {
	i.readings.Lock()
	defer i.readings.Unlock()
	i.snapshot.Put(s)
}

// watch sets the period of a device, from which follows how old its readings may grow.
func (i *Inbox) watch(device string, period time.Duration) {
	i.readings.Lock()
	defer i.readings.Unlock()
	if at := slices.Index(hardware.Names, device); at >= 0 {
		i.limits[at] = staleAfter * period
	}
}

// Raise adds an event for the next tick. The sequence number is given here, in order of arrival from its source.
func (i *Inbox) Raise(e behaviors.Event) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.seqs[e.Source]++
	e.Seq = i.seqs[e.Source]
	if len(i.events) >= maxInboxEvents {
		i.events = i.events[1:]
		i.dropped++
	}
	i.events = append(i.events, e)
}

// errInboxFull refuses a command beyond the limit, errStopping one after the end.
var (
	errInboxFull = fmt.Errorf("more than %d commands are waiting for the next tick", maxCommands)
	errStopping  = errors.New("the robot is stopping")
)

// Do hands an operator command to the next tick and waits for its reply. When the deadline of the context has passed, a command that no tick
// took is withdrawn: nothing comes of it, now or later, and no tape has it. One that a tick took is answered by that tick. A context that
// is cancelled ends the waiting alone: the command stays, because who asked may have hung up without waiting for an answer.
func (i *Inbox) Do(ctx context.Context, c engine.Command) (engine.Reply, error) {
	number, answer, err := i.submit(c)
	if err != nil {
		return engine.Reply{}, err
	}
	var r engine.Reply
	select {
	case r = <-answer:
	case <-ctx.Done():
		if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) || i.withdraw(number) {
			return r, fmt.Errorf("no tick answered: %w", err)
		}
		r = <-answer
	}
	if r.Err != "" {
		return r, errors.New(r.Err)
	}
	return r, nil
}

// withdraw takes a command back, and reports whether it could: it cannot once a tick took it, or it was answered.
func (i *Inbox) withdraw(number uint64) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	at := slices.IndexFunc(i.commands, func(c engine.Command) bool { return c.Number == number })
	if at < 0 {
		return false
	}
	i.commands = slices.Delete(i.commands, at, at+1)
	delete(i.waiting, number)
	return true
}

// Post hands an operator command to the next tick and does not wait; the reply comes through the channel.
func (i *Inbox) Post(c engine.Command) (<-chan engine.Reply, error) {
	_, answer, err := i.submit(c)
	return answer, err
}

func (i *Inbox) submit(c engine.Command) (number uint64, answer chan engine.Reply, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.closed:
		return 0, nil, errStopping
	case len(i.commands) >= maxCommands:
		return 0, nil, errInboxFull
	}
	i.number++
	c.Number = i.number
	answer = make(chan engine.Reply, 1)
	i.waiting[c.Number] = answer
	i.commands = append(i.commands, c)
	return c.Number, answer, nil
}

// Stop tells the next tick of the emergency stop of that number, before all commands. It neither waits nor can it be refused: many of
// them take the place of one.
func (i *Inbox) Stop(number uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stop = max(i.stop, number)
}

// plan keeps an answer of the planner for the next tick.
func (i *Inbox) plan(a actions.PathAnswer) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.plans = append(i.plans, a)
}

// take moves everything into the input of a tick: events in order of source and sequence, readings with their quality.
func (i *Inbox) take(in *engine.Input) {
	i.read(in.Now, &in.World)
	i.mu.Lock()
	defer i.mu.Unlock()
	in.Events = slices.Clone(i.events)
	slices.SortStableFunc(in.Events, func(a, b behaviors.Event) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Seq, b.Seq))
	})
	in.Commands = slices.Clone(i.commands)
	if i.stop != 0 {
		in.Commands = slices.Insert(in.Commands, 0, engine.Command{Kind: engine.EStop, Stop: i.stop})
	}
	in.Plans = i.plans // the tick keeps it
	i.events, i.commands, i.plans, i.stop = i.events[:0], i.commands[:0], nil, 0
}

// read copies the newest reading of each device, with its quality now.
func (i *Inbox) read(now time.Time, to *hardware.Snapshot) {
	i.readings.Lock()
	defer i.readings.Unlock()
	i.snapshot.Now, i.snapshot.Night = now, hardware.NightAt(now)
	i.snapshot.Expire(&i.limits)
	*to = i.snapshot
}

// reply hands each reply to the caller that waits for it.
func (i *Inbox) reply(rs []engine.Reply) {
	if len(rs) == 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, r := range rs {
		if answer := i.waiting[r.Number]; answer != nil {
			delete(i.waiting, r.Number)
			answer <- r
		}
	}
}

// Dropped is the number of events lost to the limit.
func (i *Inbox) Dropped() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.dropped
}

// refuse answers every command that no tick will take any more. The inbox is closed.
func (i *Inbox) refuse() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n, answer := range i.waiting {
		answer <- engine.Reply{Number: n, Err: errStopping.Error()}
	}
	clear(i.waiting)
	i.commands = nil
}

func (i *Inbox) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
}
