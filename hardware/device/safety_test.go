package device_test

import (
	"sync"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

var (
	none  = [4]bool{}
	front = [4]bool{true, true, false, false}
	all   = [4]bool{true, true, true, true}
)

func newSafety(t *testing.T) (*device.Safety, *emul.Lines, uint64) {
	t.Helper()
	lines := emul.NewLines()
	s := device.NewSafety(lines)
	owner, err := s.Own(device.Wiring{Drive: r1.Drive})
	if err != nil {
		t.Fatal(err)
	}
	return s, lines, owner
}

// raises asks for the enable line and reports whether it is high.
func raises(s *device.Safety, owner uint64) bool { return s.Enable(owner, hwtest.Start()) == nil }

func TestEnableLineStartsLowAndOnlyItsOwnerRaisesIt(t *testing.T) {
	s, lines, owner := newSafety(t)
	if lines.Level(lineEnable) {
		t.Fatal("high after request")
	}
	if !raises(s, owner) || !lines.Level(lineEnable) || !s.State().Enabled {
		t.Fatal("cannot be raised")
	}
	next, err := s.Own(device.Wiring{Drive: r1.Drive})
	if err != nil || lines.Level(lineEnable) {
		t.Fatal("a new owner starts with the line low")
	}
	if raises(s, owner) || !raises(s, next) {
		t.Error("only the newest owner may raise the line")
	}
	if err := s.Close(); err != nil || lines.Level(lineEnable) || raises(s, next) {
		t.Error("closed, but alive")
	}
}

// Rules: CLF-4.
func TestCliffScanLowersLineOnlyForGuardedSensors(t *testing.T) {
	now := hwtest.Start()
	cases := []struct {
		name          string
		guard, before [4]bool
		after         [4]bool
		stop          bool
	}{
		{"new cliff ahead", all, none, front, true},
		{"cliff known before", all, front, front, false},
		{"one more sensor", all, [4]bool{true}, front, true},
		{"cliff gone", all, front, none, false},
		{"wheels not driven", none, none, front, false},
		{"behind a retreat forward", front, none, [4]bool{false, false, true, true}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, lines, owner := newSafety(t)
			s.Cliff(c.before, now)
			raises(s, owner)
			s.Guard(owner, c.guard)
			if got := s.Cliff(c.after, now.Add(time.Millisecond)); got != c.stop || lines.Level(lineEnable) == c.stop {
				t.Fatalf("stopped %v, line %v", got, lines.Level(lineEnable))
			}
			if st := s.State(); st.Latched != c.stop || c.stop && st.Reason != device.ReasonCliff {
				t.Errorf("state %+v", st)
			}
			if raises(s, owner) == c.stop {
				t.Error("a latched line must stay low, another must not")
			}
			s.AckCliff()
			if !raises(s, owner) {
				t.Error("acknowledged, but still low")
			}
		})
	}
}

func TestOldScanIsIgnored(t *testing.T) {
	s, _, owner := newSafety(t)
	now := hwtest.Start()
	s.Cliff(none, now)
	raises(s, owner)
	s.Guard(owner, all)
	if s.Cliff(front, now.Add(-time.Second)) {
		t.Error("a scan from the past stopped the wheels")
	}
	if age, cliff := s.CliffAge(now.Add(time.Millisecond)); age != time.Millisecond || cliff {
		t.Errorf("age %v, cliff %v", age, cliff)
	}
}

func TestStopPathIsSafeForConcurrentUse(t *testing.T) {
	s, lines, owner := newSafety(t)
	var wg sync.WaitGroup
	for _, f := range []func(){
		func() { raises(s, owner) }, func() { s.Down(device.ReasonFault) }, func() { s.EStop() }, func() { _, _ = s.Resume(s.State().Stop) },
		func() { s.Guard(owner, all) }, func() { s.Cliff(front, hwtest.Start()) }, func() { s.Cliff(none, hwtest.Start()) },
		func() { s.AckCliff() }, func() { _ = s.State() }, func() { _, _ = s.Beat(owner, hwtest.Start()) }, func() { _, _ = s.Powered() }, func() { _ = s.Check() }, func() { _ = s.Turning() },
	} {
		wg.Go(func() {
			for range 200 {
				f()
			}
		})
	}
	wg.Wait()
	s.EStop()
	if lines.Level(lineEnable) || raises(s, owner) {
		t.Error("emergency stop does not hold")
	}
}

// A motors driver that hangs checks no lease; the line falls all the same.
// Rules: FLT-4.
func TestHungOwnerLosesTheLine(t *testing.T) {
	s, lines, owner := newSafety(t)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.Alive(owner, start)
	raises(s, owner)
	if s.Watch(start.Add(device.DefaultLease)) || !lines.Level(lineEnable) {
		t.Fatal("pulled low while the owner is within its lease")
	}
	if !s.Watch(start.Add(device.DefaultLease+time.Millisecond)) || lines.Level(lineEnable) {
		t.Fatal("still high although its owner hangs")
	}
	if s.Watch(start.Add(time.Hour)) {
		t.Error("pulled low twice")
	}
	s.Alive(owner-1, start.Add(time.Hour))
	raises(s, owner)
	if !s.Watch(start.Add(time.Hour)) {
		t.Error("kept alive by somebody else")
	}
}

// A resume ends the newest emergency stop if it names that one; an older or a future number is refused while the robot is stopped.
func TestResumeReleasesOnlyTheStopThatItNames(t *testing.T) {
	s, _, owner := newSafety(t)
	if was, err := s.Resume(0); was || err != nil {
		t.Errorf("never stopped: %t, %v", was, err)
	}
	s.NumberStops(40)
	first, second := s.EStop(), s.EStop()
	if first != 41 || second != 42 {
		t.Fatalf("stops %d and %d", first, second)
	}
	for _, c := range []struct {
		stop uint64
		text string
	}{
		{first, "the robot was stopped again: a resume of stop 41 does not end stop 42"},
		{43, "there is no stop 43; the newest one is 42"},
	} {
		if err := s.CheckResume(c.stop); err == nil || err.Error() != c.text {
			t.Errorf("check of %d: %v", c.stop, err)
		}
		if _, err := s.Resume(c.stop); err == nil || err.Error() != c.text || !s.State().EStop || raises(s, owner) {
			t.Errorf("resume of %d: %v, %+v", c.stop, err, s.State())
		}
	}
	if was, err := s.Resume(second); !was || err != nil || s.State().EStop || !raises(s, owner) {
		t.Errorf("resume of the newest: %t, %v, %+v", was, err, s.State())
	}
	if was, err := s.Resume(first); was || err != nil {
		t.Errorf("not stopped any more: %t, %v", was, err)
	}
}
