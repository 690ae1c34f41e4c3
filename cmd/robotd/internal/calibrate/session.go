package calibrate

import (
	"context"
	"fmt"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
)

// maxFailures is how many polls in a row may fail.
const maxFailures = 5

// A session polls some devices as their actors would.
type session struct {
	ctx     context.Context //nolint:containedctx // a session is part of one call
	b       *Bench
	devices []hardware.Device
	due     []time.Time
	failed  []int
	see     func(hardware.Sample) // gets each good sample, too; nil: nobody does
}

// open opens devices. The caller closes the session.
func (b *Bench) open(ctx context.Context, names ...string) (*session, error) {
	s := &session{ctx: ctx, b: b}
	for _, name := range names {
		d, err := device.New(name, b.Board, b.Safety, nil)
		if err == nil {
			s.devices = append(s.devices, d)
			err = d.Open(b.Clock)
		}
		if err != nil {
			s.close()
			return nil, err
		}
		s.due, s.failed = append(s.due, b.Clock.Now()), append(s.failed, 0)
	}
	return s, nil
}

// run polls for d, or until each returns false. Each gets the good samples.
func (s *session) run(d time.Duration, each func(now time.Time, sample hardware.Sample) (more bool, err error)) error {
	for end := s.b.Clock.Now().Add(d); ; {
		k := s.next()
		if s.due[k].After(end) {
			return nil
		}
		s.b.Clock.Sleep(s.due[k].Sub(s.b.Clock.Now()))
		if err := s.ctx.Err(); err != nil {
			return err
		}
		sample, err := s.poll(k)
		if err != nil {
			return err
		}
		if sample.Quality != hardware.OK {
			continue
		}
		if s.see != nil {
			s.see(sample)
		}
		if more, err := each(s.b.Clock.Now(), sample); err != nil || !more {
			return err
		}
	}
}

func (s *session) next() (first int) {
	for i, at := range s.due {
		if at.Before(s.due[first]) {
			first = i
		}
	}
	return first
}

// poll polls a device. Its sample is not OK if it failed, which it may now and then.
func (s *session) poll(k int) (hardware.Sample, error) {
	now := s.b.Clock.Now()
	sample, err := s.devices[k].Poll(now)
	if s.due[k] = s.due[k].Add(s.devices[k].Period()); s.due[k].Before(now) {
		s.due[k] = now.Add(s.devices[k].Period())
	}
	sample.Device = s.devices[k].Name()
	if err == nil {
		s.failed[k] = 0
		return sample, nil
	}
	sample.Quality = hardware.Failed
	if s.failed[k]++; s.failed[k] >= maxFailures {
		return sample, fmt.Errorf("%d polls in a row failed: %w", maxFailures, err)
	}
	return sample, nil
}

// close leaves the outputs of all devices safe.
func (s *session) close() {
	for _, d := range s.devices {
		_ = d.Halt()
	}
	s.b.Safety.Down(device.ReasonClosed)
}
