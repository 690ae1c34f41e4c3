package feed

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// Devices adds up what the device actors report. It is safe for concurrent use.
type Devices struct {
	devices map[string]*deviceRecord // fixed set
	changes atomic.Uint64
}

// DeviceCounts are totals of one device since start.
type DeviceCounts struct {
	Restarts, Reinits, Retries, Errors uint64
	Cause                              string // of the last failure
}

// deviceRecord counts one device over all its incarnations.
type deviceRecord struct {
	mu     sync.Mutex
	last   event.Sample // of the present incarnation
	counts DeviceCounts
}

// NewDevices returns counts at zero.
func NewDevices() *Devices {
	s := &Devices{devices: map[string]*deviceRecord{}}
	for _, name := range hardware.Names {
		s.devices[name] = &deviceRecord{}
	}
	return s
}

// Observe implements event.Observer.
func (s *Devices) Observe(r event.Record) {
	switch r := r.(type) {
	case *event.Sample:
		if p := s.devices[r.Device]; p != nil {
			if p.sample(*r) {
				s.changes.Add(1)
			}
		}
	case event.Failure:
		if p := s.device(r.Actor); p != nil {
			p.mu.Lock()
			p.counts.Cause = r.Where + ": " + r.Reason
			p.mu.Unlock()
			s.changes.Add(1)
		}
	case event.Restart:
		if p := s.device(r.Actor); p != nil {
			p.mu.Lock()
			p.counts.Restarts++
			p.last = event.Sample{}
			p.mu.Unlock()
			s.changes.Add(1)
		}
	}
}

func (s *Devices) device(actor string) *deviceRecord {
	name, ok := strings.CutPrefix(actor, "device/")
	if !ok {
		return nil
	}
	return s.devices[name]
}

// sample adds what grew since the last one, and reports whether anything did. Totals that shrank belong to a new incarnation.
func (d *deviceRecord) sample(s event.Sample) (grew bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.Reads < d.last.Reads {
		d.last = event.Sample{}
	}
	was := d.counts
	d.counts.Reinits += s.Reinits - min(s.Reinits, d.last.Reinits)
	d.counts.Retries += s.Retries - min(s.Retries, d.last.Retries)
	d.counts.Errors += s.Errors - min(s.Errors, d.last.Errors)
	d.last = s
	return d.counts != was
}

// Of returns the counts of one device.
func (s *Devices) Of(name string) DeviceCounts {
	d := s.devices[name]
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts
}

// Changes grows whenever a count changes.
func (s *Devices) Changes() uint64 { return s.changes.Load() }
