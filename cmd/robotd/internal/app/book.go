package app

import (
	"strings"
	"sync"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// A book keeps what device actors report about themselves. It is safe for concurrent use.
type book struct{ pages map[string]*page } // fixed set

// page is one device over all its incarnations.
type page struct {
	mu       sync.Mutex
	last     event.Sample // of the present incarnation
	restarts uint64
	reinits  uint64
	retries  uint64
	errors   uint64
	cause    string
}

func newBook() *book {
	b := &book{pages: map[string]*page{}}
	for _, name := range hardware.Names {
		b.pages[name] = &page{}
	}
	return b
}

// Observe implements event.Observer.
func (b *book) Observe(r event.Record) {
	switch r := r.(type) {
	case event.Sample:
		if p := b.pages[r.Device]; p != nil {
			p.sample(r)
		}
	case event.Failure:
		if p := b.device(r.Actor); p != nil {
			p.mu.Lock()
			p.cause = r.Where + ": " + r.Reason
			p.mu.Unlock()
		}
	case event.Restart:
		if p := b.device(r.Actor); p != nil {
			p.mu.Lock()
			p.restarts++
			p.last = event.Sample{}
			p.mu.Unlock()
		}
	}
}

func (b *book) device(actor string) *page {
	name, ok := strings.CutPrefix(actor, "device/")
	if !ok {
		return nil
	}
	return b.pages[name]
}

// sample adds what grew since the last one. Totals that shrank belong to a new incarnation.
func (p *page) sample(s event.Sample) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.Reads < p.last.Reads {
		p.last = event.Sample{}
	}
	p.reinits += s.Reinits - min(s.Reinits, p.last.Reinits)
	p.retries += s.Retries - min(s.Retries, p.last.Retries)
	p.errors += s.Errors - min(s.Errors, p.last.Errors)
	p.last = s
}

// counts are restarts, reinits, retries, errors and the last cause.
func (p *page) counts() (restarts, reinits, retries, errors uint64, cause string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.restarts, p.reinits, p.retries, p.errors, p.cause
}
