package feed

import (
	"strings"
	"sync"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// deviceStats adds up what the device actors report. It is safe for concurrent use.
type deviceStats struct{ devices map[string]*deviceRecord } // fixed set

// deviceRecord counts one device over all its incarnations.
type deviceRecord struct {
	mu       sync.Mutex
	last     event.Sample // of the present incarnation
	restarts uint64
	reinits  uint64
	retries  uint64
	errors   uint64
	cause    string
}

func newDeviceStats() *deviceStats {
	s := &deviceStats{devices: map[string]*deviceRecord{}}
	for _, name := range hardware.Names {
		s.devices[name] = &deviceRecord{}
	}
	return s
}

// Observe implements event.Observer.
func (s *deviceStats) Observe(r event.Record) {
	switch r := r.(type) {
	case *event.Sample:
		if p := s.devices[r.Device]; p != nil {
			p.sample(*r)
		}
	case event.Failure:
		if p := s.device(r.Actor); p != nil {
			p.mu.Lock()
			p.cause = r.Where + ": " + r.Reason
			p.mu.Unlock()
		}
	case event.Restart:
		if p := s.device(r.Actor); p != nil {
			p.mu.Lock()
			p.restarts++
			p.last = event.Sample{}
			p.mu.Unlock()
		}
	}
}

func (s *deviceStats) device(actor string) *deviceRecord {
	name, ok := strings.CutPrefix(actor, "device/")
	if !ok {
		return nil
	}
	return s.devices[name]
}

// sample adds what grew since the last one. Totals that shrank belong to a new incarnation.
func (d *deviceRecord) sample(s event.Sample) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.Reads < d.last.Reads {
		d.last = event.Sample{}
	}
	d.reinits += s.Reinits - min(s.Reinits, d.last.Reinits)
	d.retries += s.Retries - min(s.Retries, d.last.Retries)
	d.errors += s.Errors - min(s.Errors, d.last.Errors)
	d.last = s
}

// counts returns restarts, reinits, retries, errors and the last cause.
func (d *deviceRecord) counts() (restarts, reinits, retries, errors uint64, cause string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.restarts, d.reinits, d.retries, d.errors, d.cause
}
