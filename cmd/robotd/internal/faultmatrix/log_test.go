package faultmatrix

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// deviceLog adds up what one device reported over all its incarnations.
type deviceLog struct {
	last                                       event.Sample // of the present incarnation
	polls                                      int
	Errors, Retries, Reinits, Rejected, Frozen uint64
	Failures, Restarts, Lapses                 int
	Causes                                     []string // of failures, each once, in order of appearance
	Texts                                      []string // of failures, the first few
}

// since subtracts what was known at an earlier instant.
func (d deviceLog) since(was deviceLog) deviceLog {
	d.Errors -= was.Errors
	d.Retries -= was.Retries
	d.Reinits -= was.Reinits
	d.Rejected -= was.Rejected
	d.Frozen -= was.Frozen
	d.Failures -= was.Failures
	d.Restarts -= was.Restarts
	d.Lapses -= was.Lapses
	d.Causes = d.Causes[len(was.Causes):]
	return d
}

// chronicle records actor events and ticks. In virtual time one participant runs at a time, so it needs no lock.
type chronicle struct {
	now      func() time.Time
	devices  map[string]*deviceLog
	notable  map[string][]time.Time // instants at which a device reported anything but a good sample without repair
	troubled map[string]time.Time   // the last tick at which a device's reading was not OK, or its last failure
	commands []hardware.Command     // of the newest tick
	orders   uint64                 // Drive commands so far
	world    *hardware.World        // of the newest tick
	worst    map[string]hardware.Quality
	tickAt   time.Time
	faults   []string // failures of behaviors and actions
}

func newChronicle(now func() time.Time) *chronicle {
	c := &chronicle{now: now, devices: map[string]*deviceLog{}, notable: map[string][]time.Time{}, troubled: map[string]time.Time{}}
	for _, d := range hardware.Names {
		c.devices[d] = &deviceLog{}
	}
	c.forgive()
	return c
}

// forgive forgets the worst qualities.
func (c *chronicle) forgive() {
	c.worst = map[string]hardware.Quality{}
	for _, d := range hardware.Names {
		c.worst[d] = hardware.OK
	}
}

// Observe implements event.Observer.
func (c *chronicle) Observe(r event.Record) {
	switch r := r.(type) {
	case *event.Sample:
		c.sample(*r)
	case event.Failure:
		c.failure(r)
	case event.Lapse:
		c.devices[r.Device].Lapses++
		c.notable[r.Device] = append(c.notable[r.Device], c.now())
	case event.Restart:
		if d := c.device(r.Actor); d != nil {
			d.Restarts++
			d.last = event.Sample{}
		}
	}
}

func (c *chronicle) device(actor string) *deviceLog {
	name, _ := strings.CutPrefix(actor, "device/")
	return c.devices[name]
}

// sample adds what grew. Totals that shrank belong to a new incarnation.
func (c *chronicle) sample(s event.Sample) {
	d := c.devices[s.Device]
	if s.Reads < d.last.Reads || s.Errors < d.last.Errors {
		d.last = event.Sample{}
	}
	d.polls++
	grown := s.Errors + s.Reinits + s.Rejected + s.Frozen - (d.last.Errors + d.last.Reinits + d.last.Rejected + d.last.Frozen)
	d.Errors += s.Errors - d.last.Errors
	d.Retries += s.Retries - d.last.Retries
	d.Reinits += s.Reinits - d.last.Reinits
	d.Rejected += s.Rejected - d.last.Rejected
	d.Frozen += s.Frozen - d.last.Frozen
	d.last = s
	if grown > 0 || !s.Good {
		c.notable[s.Device] = append(c.notable[s.Device], c.now())
	}
}

func (c *chronicle) failure(f event.Failure) {
	d := c.device(f.Actor)
	if d == nil {
		c.faults = append(c.faults, fmt.Sprintf("%s: %s: %s", f.Actor, f.Where, f.Text))
		return
	}
	name := strings.TrimPrefix(f.Actor, "device/")
	d.Failures++
	if !slices.Contains(d.Causes, f.Reason) {
		d.Causes = append(d.Causes, f.Reason)
	}
	if len(d.Texts) < 8 {
		d.Texts = append(d.Texts, f.Text)
	}
	c.notable[name] = append(c.notable[name], c.now())
	c.troubled[name] = c.now()
}

// ObserveTick implements actors.TickObserver.
func (c *chronicle) ObserveTick(_ event.Tick, o *engine.Output, e *engine.Engine) {
	c.tickAt = c.now()
	c.commands = slices.Clone(o.Commands)
	for _, cmd := range o.Commands {
		if _, ok := cmd.(hardware.Drive); ok {
			c.orders++
		}
	}
	c.world = e.View().World
	for _, d := range hardware.Names {
		q := c.world.QualityOf(d)
		c.worst[d] = min(c.worst[d], q)
		if q != hardware.OK {
			c.troubled[d] = c.tickAt
		}
	}
}

// firstNotable is the first instant from t on at which a device reported trouble or a repair.
func (c *chronicle) firstNotable(device string, t time.Time) (time.Time, bool) {
	for _, at := range c.notable[device] {
		if !at.Before(t) {
			return at, true
		}
	}
	return time.Time{}, false
}

// calm reports whether every device is OK and has been since t.
func (c *chronicle) calm(t time.Time) bool {
	for _, d := range hardware.Names {
		if c.world.QualityOf(d) != hardware.OK || c.troubled[d].After(t) {
			return false
		}
	}
	return true
}
