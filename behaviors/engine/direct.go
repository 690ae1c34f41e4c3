package engine

import (
	"fmt"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
)

// ActionHost is how the action list calls the code of actions.
type ActionHost = actions.Host

// Direct runs hooks on the caller's goroutine: the actor-free runner for tests, replay and benchmarks. A panic is a lost
// incarnation as with actors; a hang is a hang.
type Direct struct {
	actions.Direct
	server Server
}

// Bind implements HookRunner.
func (d *Direct) Bind(s Server) { d.server = s }

// Fresh implements HookRunner.
func (d *Direct) Fresh(c *Cell) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in constructor: %v", r)
		}
	}()
	inst := c.TakeReady()
	if inst == nil {
		inst = c.Entry.New()
	}
	c.Inc = NewIncarnation(inst, func(f *Frame) behaviors.Port { return &directPort{server: d.server, cell: c, frame: f} })
	return nil
}

// Retire implements HookRunner.
func (d *Direct) Retire(*Cell) {}

// Run implements HookRunner.
func (d *Direct) Run(c *Cell, f *Frame) (err error) {
	f.inFlight = true
	defer func() {
		f.inFlight = false
		if r := recover(); r != nil {
			err = failure(r)
		}
	}()
	c.Inc.Inst.Run(f.Control, &f.Inv)
	return nil
}

// Ask implements HookRunner.
func (d *Direct) Ask(cells []*Cell, frames []*Frame) (ran int, err error) {
	for ran < len(cells) {
		c, f := cells[ran], frames[ran]
		ran++
		if c.Lost() {
			continue
		}
		if err = d.Run(c, f); err != nil || f.Inv.Answer || f.Inv.Alone {
			break
		}
	}
	return ran, err
}

// Batch implements HookRunner.
func (d *Direct) Batch(cells []*Cell, frames []*Frame) []CellFailure {
	var failed []CellFailure
	for i := 0; i < len(cells); {
		next, err := d.runFrom(cells, frames, i)
		if err != nil {
			c := cells[next]
			c.Lose()
			failed = append(failed, CellFailure{Cell: c, Err: err})
			next++
		}
		i = next
	}
	return failed
}

// Foreseen implements HookRunner.
func (d *Direct) Foreseen(_ *Cell, f Foreseen) Foreseen { return f }

// runFrom runs the frames from the i-th on under one recover, to the end or to the first that fails.
func (d *Direct) runFrom(cells []*Cell, frames []*Frame, i int) (next int, err error) {
	next = i
	defer func() {
		if r := recover(); r != nil {
			frames[next].inFlight = false
			err = failure(r)
		}
	}()
	for ; next < len(cells); next++ {
		if c, f := cells[next], frames[next]; !c.Lost() {
			f.inFlight = true
			c.Inc.Inst.Run(f.Control, &f.Inv)
			f.inFlight = false
		}
	}
	return next, nil
}

// failure words what a hook panicked with.
func failure(r any) error {
	if _, revoked := r.(Revoked); revoked {
		return ErrRevoked
	}
	return fmt.Errorf("panic: %v", r)
}

// directPort answers in place.
type directPort struct {
	server Server
	cell   *Cell
	frame  *Frame
	asking bool // a request waits, and nested hooks run: a second one comes from a Control that was kept
}

// Do implements behaviors.Port.
func (p *directPort) Do(r *behaviors.Request) {
	if !p.frame.inFlight || p.asking {
		RefuseStale(p.cell, r)
		return
	}
	p.asking = true
	defer func() { p.asking = false }()
	if !p.cell.Lost() { // else what was unwound asks once more, in a deferred function
		p.server.Serve(p.cell, p.frame, r)
	}
	if p.cell.Lost() {
		panic(Revoked{})
	}
}
