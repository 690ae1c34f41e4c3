package device

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/ugv"
)

// Reasons for a low enable line, as they appear in [SafetyState] and [hardware.MotorState].
const (
	ReasonCliff  = "cliff"     // reflex: a cliff appeared while the wheels were driven
	ReasonEStop  = "estop"     // emergency stop
	ReasonLease  = "lease"     // the segment was not renewed
	ReasonBeat   = "heartbeat" // the process stood still for so long that the one-shot cut the power
	ReasonBlind  = "blind"     // cliff sensors stale
	ReasonStall  = "stall"     // driven, but the encoder is silent
	ReasonOther  = "replaced"
	ReasonFault  = "fault"
	ReasonRefuse = "refused" // the segment's numbers cannot be driven
	ReasonDrain  = "battery" // it is empty, and there is no charger
	ReasonIdle   = "idle"
	ReasonClosed = "closed"
)

// cliffFresh is how old a cliff scan may be while the wheels are driven: six scans, and 10 mm at cliff-safe speed.
const cliffFresh = 60 * time.Millisecond

// Safety is the stop path that needs no bus. It owns MOTOR_EN, the line that puts the H-bridge to sleep, and MOTOR_BEAT, without
// which a one-shot outside of this process does the same. Motors, cliff sensors, the supervisor and the operator's stop share one Safety, which outlives every restart of a device.
// A robot without such a line has a reduced stop: the motors are switched off over their bus, on another goroutine, and nothing
// stops them if this process dies.
//
// All methods are safe for concurrent use and none waits for a bus, a mailbox or time. The lock is held for a few
// assignments and one write to each line. A method that reaches a line gives the lock back with defer, because the code of a line may panic;
// those that every control cycle calls only to read do without, because a defer takes longer than they do.
type Safety struct {
	lines *takeover

	mu      hardware.Guard
	line    hardware.Line // nil until Own, and after the chip vanished
	heart   heartbeat
	ugv     *ugv.Link     // to a board that drives the wheels; nil if there is none
	brake   hardware.Line // in place of the enable line: stands the wheels through that board
	owner   uint64        // the newest motors driver; older ones hang and must not raise the line
	wired   Wiring        // of the owner; empty until Own
	cutter  cutter
	cutAt   time.Time // of the newest cut for a driver that hangs
	hungAt  time.Time // of the first one
	chips   sharedChips
	state   SafetyState
	charge  charge
	guards  [4]bool   // sensors whose next cliff stops the wheels; none while they stand
	alive   time.Time // newest control cycle of the owner
	yaw     heading
	cliffAt time.Time
	cliff   [4]bool
	suspect [4]bool  // cliff sensors that froze ...
	frozen  [4]int16 // ... at these values and have not changed since
}

// SafetyState is the state of the stop path.
type SafetyState struct {
	Enabled bool   // MOTOR_EN is high
	Latched bool   // the cliff reflex stopped the wheels; AckCliff re-arms them
	EStop   bool   // an operator stopped the robot
	Stop    uint64 // number of the newest emergency stop, whether or not it has ended
	Reason  string // why the line was last pulled low
	Stops   uint64 // times the line was pulled low while the wheels were driven
}

// A Wiring is what a motors driver tells of the motors that it drives.
type Wiring struct {
	// Drive names the lines.
	Drive *profile.Drive
	// Lease is how long the driver may not control the wheels. 0 means [DefaultLease].
	Lease time.Duration
	// Cut switches the motors off over the bus, beside the driver. It is used if there is no enable line.
	Cut func() error
}

// reduced reports whether nothing but the bus switches the motors off; mu is held.
func (s *Safety) reduced() bool {
	return s.brake == nil && s.wired.Drive != nil && s.wired.Drive.Enable == ""
}

// Alone lets one goroutine at a time use the stop path without a lock. It is called before the stop path is used.
func (s *Safety) Alone() { s.mu.LeaveOpen() }

// NewSafety returns the stop path. It requests nothing yet.
func NewSafety(lines hardware.Lines) *Safety {
	return &Safety{lines: newTakeover(lines), state: SafetyState{Reason: ReasonClosed}}
}

// Own pulls the line low, makes sure that it is requested, and returns the number by which its caller, a motors driver
// that opens, may raise it. All earlier numbers are void.
func (s *Safety) Own(wired Wiring) (owner uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owner++
	if s.wired = wired; s.wired.Lease <= 0 {
		s.wired.Lease = DefaultLease
	}
	s.low(ReasonClosed)
	return s.owner, s.request()
}

// Check requests the line again if it was given up.
func (s *Safety) Check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.request()
}

// request gets the lines that are not there; the outputs start low. mu is held.
func (s *Safety) request() error {
	wired := s.wired.Drive
	switch {
	case wired == nil:
		return errNoLine
	case s.brake != nil:
		s.line = s.brake
		return nil
	case wired.Enable == "":
		return nil
	}
	if s.line == nil {
		line, err := s.lines.Output(wired.Enable, false)
		if err != nil {
			return err
		}
		s.line = line
	}
	if wired.Beat == "" {
		return nil
	}
	return s.heart.request(s.lines, wired)
}

// Close pulls the lines low and releases them.
func (s *Safety) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.low(ReasonClosed)
	s.heart.close()
	var err error
	if s.line != nil {
		err = s.line.Close()
		s.line = nil
	}
	if s.ugv != nil { // also if its line was lost: the board is told to stand and go dark
		err = errors.Join(err, s.ugv.Close())
	}
	return err
}

// Cliff takes one good scan. A sensor that newly sees no floor while it guards the driven wheels stops them at once
// and latches (CLF-4). It reports whether it did. The cliff driver calls it with the instant at which the scan began; a
// scan older than the newest one is ignored.
func (s *Safety) Cliff(detected [4]bool, now time.Time) bool {
	s.mu.Lock()
	if now.Before(s.cliffAt) {
		s.mu.Unlock()
		return false
	}
	stop := false
	if detected != s.cliff && s.state.Enabled {
		for i, d := range detected {
			stop = stop || d && !s.cliff[i] && s.guards[i]
		}
	}
	s.cliff, s.cliffAt = detected, now
	if !stop {
		s.mu.Unlock()
		return false
	}
	defer s.mu.Unlock()
	s.state.Latched = true
	s.low(ReasonCliff)
	return true
}

// CliffAge is the time since the last good scan, and whether the scan showed a cliff. Without any scan it is a year.
func (s *Safety) CliffAge(now time.Time) (age time.Duration, cliff bool) {
	s.mu.Lock()
	at, cliff := s.cliffAt, s.cliff != [4]bool{}
	s.mu.Unlock()
	if at.IsZero() {
		return 365 * 24 * time.Hour, false
	}
	return now.Sub(at), cliff
}

// Distrust takes the scan in which the given sensors were found frozen. Scans are ignored until each of these sensors has
// changed, also after a restart of the cliff driver, because a restart does not repair a frozen chip.
func (s *Safety) Distrust(sensors [4]bool, raw [4]int16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.suspect, s.frozen = sensors, raw
}

// Trusted reports whether a scan may be believed: no sensor still shows the value at which it froze.
func (s *Safety) Trusted(raw [4]int16) bool {
	s.mu.Lock()
	trusted := s.suspect == [4]bool{}
	if !trusted {
		for i, suspect := range s.suspect {
			s.suspect[i] = suspect && raw[i] == s.frozen[i]
		}
		trusted = s.suspect == [4]bool{}
	}
	s.mu.Unlock()
	return trusted
}

// Guard sets which cliff sensors stop the wheels from now on: those that the motion leads over an edge. The owner calls
// it before the wheels turn, and with none when they stand.
func (s *Safety) Guard(owner uint64, sensors [4]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if owner == s.owner {
		s.guards = sensors
	}
}

// Turning reports whether the wheels are being driven.
func (s *Safety) Turning() bool {
	s.mu.Lock()
	turning := s.turning()
	s.mu.Unlock()
	return turning
}

// turning is Turning; mu is held.
func (s *Safety) turning() bool { return s.state.Enabled && s.guards != [4]bool{} }

// Alive notes that the owner controls the wheels now, and takes MOTOR_BEAT low. The motors driver calls it at the start of every
// cycle. Hung is when Watch switched the wheels off since the cycle before, zero if it did not.
func (s *Safety) Alive(owner uint64, now time.Time) (hung time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hung = s.hungAt
	if owner == s.owner {
		s.alive, s.cutAt, s.hungAt = now, time.Time{}, time.Time{}
		s.heart.rest()
	}
	return hung
}

// hung is when Watch switched the wheels off since the newest call of Alive, zero if it did not.
func (s *Safety) hung() time.Time {
	s.mu.Lock()
	at := s.hungAt
	s.mu.Unlock()
	return at
}

// Watch pulls the line low if the owner has not called Alive for longer than the lease, because a driver that hangs
// cannot check its lease. A goroutine other than the driver's calls it several times per lease. It reports whether the
// line fell.
func (s *Safety) Watch(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	hangs := now.Sub(s.alive) > s.wired.Lease
	if !s.state.Enabled {
		again := !s.cutAt.IsZero() || s.cutter.failed.Load() // it may have written after the cut, or the cut did not reach the chip
		if hangs && s.reduced() && again && now.Sub(s.cutAt) > s.wired.Lease {
			s.cutAt = now
			s.cut()
		}
		return false
	}
	if !hangs {
		return false
	}
	s.cutAt, s.hungAt = now, now
	s.low(ReasonFault)
	return true
}

// Down pulls the line low. The supervisor calls it before it restarts the motors, the motors driver when it cannot verify
// the PWM chip.
func (s *Safety) Down(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.low(reason)
}

// Enable raises the line. Only the owner may call it, after it read back that every PWM output is off. Latch and emergency stop
// keep the line low. The wheels have no power before the first Beat: Enable tests that, and an error means that the line is low.
func (s *Safety) Enable(owner uint64, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case owner != s.owner || s.wired.Drive == nil || s.line == nil && !s.reduced() || s.state.Latched || s.state.EStop:
		return errHeldLow
	case s.state.Enabled:
		return nil
	case !s.set(true):
		return errNoLine
	}
	s.state.Enabled = true
	if s.brake != nil || s.wired.Drive.Beat == "" {
		return nil
	}
	err := s.heart.prove(now)
	if err != nil {
		s.low(ReasonFault)
	}
	return err
}

// Beat raises MOTOR_BEAT if MOTOR_EN is high, and reports whether it did. Only the owner may call it, at the end of a control cycle
// that succeeded as a whole: whatever holds that up, in this process or outside, ends the power.
func (s *Safety) Beat(owner uint64, now time.Time) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if owner != s.owner || !s.state.Enabled || s.wired.Drive.Beat == "" {
		return false, nil
	}
	err := s.heart.pulse(now)
	if err != nil {
		s.low(ReasonFault)
	}
	return err == nil, err
}

// Powered reads whether the bridge is awake.
func (s *Safety) Powered() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heart.on()
}

// AckCliff re-arms the wheels after the reflex. The line stays low until the motors driver raises it.
func (s *Safety) AckCliff() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Latched = false
}

// EStop engages the emergency stop and returns its number, by which [Safety.Resume] ends it. Each one has a number of its own, also
// while an earlier one lasts, so that nobody ends a stop that he does not know of.
func (s *Safety) EStop() (stop uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.EStop = true
	s.state.Stop++
	s.low(ReasonEStop)
	return s.state.Stop
}

// NumberStops sets the number after which emergency stops are numbered. A process that is started anew begins elsewhere than its
// predecessor, so that a resume which was meant for that one ends no stop of this one.
func (s *Safety) NumberStops(after uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Stop = max(s.state.Stop, after)
}

// CheckResume reports why a resume of that stop would be refused, nil if it would not.
func (s *Safety) CheckResume(stop uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refuseResume(stop)
}

// Resume ends the emergency stop of that number and reports whether the robot was stopped. It refuses to end a later one. The line
// stays low until the motors driver raises it.
func (s *Safety) Resume(stop uint64) (was bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuseResume(stop); err != nil {
		return true, err
	}
	was, s.state.EStop = s.state.EStop, false
	return was, nil
}

// refuseResume is the reason not to resume; mu is held.
func (s *Safety) refuseResume(stop uint64) error {
	switch newest := s.state.Stop; {
	case stop > newest:
		return fmt.Errorf("there is no stop %d; the newest one is %d", stop, newest)
	case stop < newest && s.state.EStop:
		return fmt.Errorf("the robot was stopped again: a resume of stop %d does not end stop %d", stop, newest)
	}
	return nil
}

// State returns the current state.
func (s *Safety) State() SafetyState {
	s.mu.Lock()
	state := s.state
	s.mu.Unlock()
	return state
}

// enabled reports whether the line is high.
func (s *Safety) enabled() bool {
	s.mu.Lock()
	enabled := s.state.Enabled
	s.mu.Unlock()
	return enabled
}

// low pulls the line down and stops the heartbeat; mu is held. It writes the line even if the recorded level is low, because a wrong record must
// not keep the wheels powered.
func (s *Safety) low(reason string) {
	if s.state.Enabled {
		s.state.Reason = reason
		if s.guards != [4]bool{} {
			s.state.Stops++
		}
	}
	s.state.Enabled = false
	s.guards = [4]bool{}
	if s.reduced() && reason != ReasonIdle && reason != ReasonClosed { // then the driver itself switches them off
		s.cut()
	}
	s.set(false)
	s.heart.rest()
}

// set writes the line; mu is held. If the write fails, set closes the line, so that the pull-down acts; Check requests
// the line again.
func (s *Safety) set(high bool) bool {
	if s.line == nil {
		return s.reduced()
	}
	if err := s.line.Set(high); err != nil {
		_ = s.line.Close()
		s.line = nil
		return false
	}
	return true
}
