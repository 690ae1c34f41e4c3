package faultmatrix

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

const (
	// faultTime is how long a fault lasts. A brown-out is over at once; its cell is timed alike.
	faultTime = 2 * time.Second
	// stopLimit is one tick and 1 ms after the lease: what was ordered right before the fault may live that long.
	stopLimit = device.DefaultLease + tick + time.Millisecond
	// powerLimit is when the one-shot cuts the power after the last control cycle, whatever became of the process.
	powerLimit = 300 * time.Millisecond
	// tryLimit bounds a motion that begins although the encoders are silent: 250 ms from the instant at which its duty
	// passes 20 %, which the gentlest start, a slow turn, reaches within 300 ms.
	tryLimit = 600 * time.Millisecond
	// lagLimit is what inertia may add until the robot stands: the motors' lag of 60 ms takes 220 mm/s, the fastest there
	// is, below 2 mm/s in 4.7 time constants. The geometry is judged over 20 ms.
	lagLimit = 282*time.Millisecond + 22*time.Millisecond
	// healLimit and lifeLimit bound what follows the end of the fault: all devices OK for good, and a way driven.
	healLimit = 10 * time.Second
	lifeLimit = time.Minute
	// watchTime is how long a healed robot is watched for relapses.
	watchTime = 15 * time.Second
	lifeMM    = 30
)

// A verdict is the outcome of a cell. Instants count from the injection, those of healing from the end of the fault.
type verdict struct {
	cell
	seen         time.Duration // first sign of the driver; -1 = none
	off          time.Duration // command off: no power, or all duties zero
	still        time.Duration // from command off to standing; -1 = was ordered on before
	wayMM        float64       // from command off to standing
	tries        time.Duration // longest time the wheels were driven in one go from stopLimit to the end of the fault
	driven       time.Duration // of the first stopLimit
	topMMPS      float64       // fastest during the fault
	worst        hardware.Quality
	log          deviceLog
	healed, life time.Duration
}

// TestFaultMatrix breaks each device in each way for two seconds while the shipped tree drives.
func TestFaultMatrix(t *testing.T) {
	all := cells()
	rows := make([]verdict, len(all))
	cat := setuptest.Catalog(t)
	t.Run("cell", func(t *testing.T) {
		for i, c := range all {
			t.Run(c.device+"/"+c.kind, func(t *testing.T) {
				t.Parallel()
				r := start(t, cat, alone(), tick)
				r.untilCruising()
				r.run(time.Duration(i*7%59)*time.Millisecond + 300*time.Microsecond) // anywhere between two ticks
				r.untilPolled(c.noticer())
				rows[i] = r.suffer(c)
				rows[i].judge(t)
			})
		}
	})
	t.Log("\n" + table(rows))
}

// TestWheelsStopAtAnyMomentOfTheFault repeats the cells that must stop the wheels at other moments between two ticks and
// two polls.
func TestWheelsStopAtAnyMomentOfTheFault(t *testing.T) {
	cat := setuptest.Catalog(t)
	phases := []time.Duration{100, 7900, 13100, 29700, 41200, 58600} // µs after a tick
	var worst sync.Map
	t.Run("cell", func(t *testing.T) {
		for _, c := range cells() {
			if c.wheels != stop && c.wheels != pause && c.wheels != tries {
				continue
			}
			t.Run(c.device+"/"+c.kind, func(t *testing.T) {
				t.Parallel()
				latest := time.Duration(0)
				for _, phase := range phases {
					r := start(t, cat, alone(), tick)
					r.untilCruising()
					r.run(phase * time.Microsecond)
					at := r.now()
					r.inject(c.device, c.kind, faultTime)
					r.run(faultTime)
					off, ok := r.pins.offSince(at)
					latest = max(latest, off.Sub(at))
					if !ok || off.Sub(at) > c.offLimit() {
						t.Errorf("%v µs after a tick: off after %v", int(phase), off.Sub(at))
					}
				}
				worst.Store(c.device+" "+c.kind, latest)
			})
		}
	})
	text := fmt.Sprintf("\nlatest command off over %d phases, in ms, limit %v:\n", len(phases), stopLimit)
	for _, c := range cells() {
		if d, ok := worst.Load(c.device + " " + c.kind); ok {
			text += fmt.Sprintf("  %-8s %-8s %s\n", c.device, c.kind, ms(d.(time.Duration)))
		}
	}
	t.Log(text)
}

// alone is a robot with a full battery on its charger, without a person to greet.
func alone() sim.Options { return sim.Options{Seed: 7, BatteryRatio: 1, Nobody: true} }

// TestMatrixCoversEveryDeviceAndFault compares the table with what the simulated robot can suffer.
func TestMatrixCoversEveryDeviceAndFault(t *testing.T) {
	rig := sim.New(sim.Options{Seed: 1, Now: epoch()})
	rig.SetFreeze(func(time.Duration) {})
	known := cells()
	for _, device := range devices() {
		for _, kind := range sim.Kinds() {
			listed := slices.ContainsFunc(known, func(c cell) bool { return c.device == device && c.kind == kind })
			if possible := rig.Fault(device, kind, time.Second) == nil; possible != listed {
				t.Errorf("%s %s: possible %v, in the table %v", device, kind, possible, listed)
			}
		}
	}
	for _, c := range known {
		if c.way == unseen && c.why == "" {
			t.Errorf("%s %s is unseen without a reason", c.device, c.kind)
		}
	}
}

// TestRobotWithoutAFaultKeepsDriving runs the matrix's cell without a fault: the outcomes that the other cells
// assert do not happen without one.
func TestRobotWithoutAFaultKeepsDriving(t *testing.T) {
	r := start(t, setuptest.Catalog(t), alone(), tick)
	r.untilCruising()
	at := r.now()
	r.run(faultTime)
	if d := r.pins.drivenIn(at, at.Add(2*stopLimit)); d != 2*stopLimit {
		t.Errorf("driven for %v of %v", d, 2*stopLimit)
	}
	if !r.log.calm(epoch().Add(time.Second)) {
		t.Error("a device was not OK")
	}
}

// untilCruising runs the robot until it drives straight ahead, off its charger, in the middle of a long leg.
func (r *robot) untilCruising() {
	r.t.Helper()
	leg, ticks := uint64(0), 0
	ok := r.until(tick, 5*time.Minute, func() bool {
		for _, c := range r.log.commands {
			d, ok := c.(hardware.Drive)
			if !ok || d.Kind != hardware.Straight || d.Retreat || d.DistanceMM < 150 {
				continue
			}
			if d.ID != leg {
				leg, ticks = d.ID, 0
			}
			ticks++
		}
		s := r.rig.Stats()
		return ticks == 9 && s.DistanceM > 0.2 && !s.OnContacts && !r.log.world.Body.OnPlatform
	})
	if !ok {
		r.t.Fatal("the robot never drove")
	}
}

// untilPolled lets a poll of the device end, so that the fault strikes between two of them.
func (r *robot) untilPolled(device string) {
	r.t.Helper()
	seq := r.log.devices[device].polls
	if !r.until(100*time.Microsecond, time.Second, func() bool { return r.log.devices[device].polls > seq }) {
		r.t.Fatalf("%s was not polled", device)
	}
}

// suffer injects the fault of a cell and returns its verdict.
func (r *robot) suffer(c cell) verdict {
	r.t.Helper()
	at := r.now()
	end := at.Add(faultTime)
	by := c.noticer()
	before := *r.log.devices[by]
	r.log.forgive()
	r.inject(c.device, c.kind, faultTime)
	var m motion
	for m.sample(r); r.now().Before(end); m.sample(r) {
		r.run(sampling)
	}
	v := verdict{cell: c, seen: -1, still: -1, topMMPS: m.top()}
	if off, ok := r.pins.offSince(at); ok {
		v.off = off.Sub(at)
		if still, way, ok := m.stillAt(off); ok && r.pins.drivenIn(off, still) == 0 {
			v.still, v.wayMM = still.Sub(off), way
		}
	} else {
		v.off = faultTime
	}
	v.driven = r.pins.drivenIn(at, at.Add(stopLimit))
	v.tries = r.pins.longestIn(at.Add(min(v.off, stopLimit)), end)

	way := r.rig.Stats().DistanceM
	moves := func() bool { return r.rig.Stats().DistanceM > way+lifeMM/1000.0 }
	if !r.until(tick, lifeLimit, moves) {
		r.t.Errorf("the robot did not drive %d mm within %v", lifeMM, lifeLimit)
	}
	v.life = r.now().Sub(end)
	r.run(max(0, watchTime-v.life))
	for _, d := range hardware.Names {
		v.healed = max(v.healed, r.log.troubled[d].Sub(end))
		if q := r.log.world.QualityOf(d); q != hardware.OK {
			r.t.Errorf("%s is %v in the end", d, q)
		}
		fine := hardware.Stale // others wait while the device is set up again, and the first tick after a freeze may come before the first polls
		if !c.onBus() && c.device != sim.FaultHost {
			fine = hardware.OK
		}
		if d != by && (r.log.worst[d] < fine || r.log.devices[d].Failures > 0) {
			r.t.Errorf("%s suffered too: %v, %d failures", d, r.log.worst[d], r.log.devices[d].Failures)
		}
	}
	if seen, ok := r.log.firstNotable(by, at); ok {
		v.seen = seen.Sub(at)
	}
	v.worst = r.log.worst[by]
	v.log = r.log.devices[by].since(before)
	told := func() bool { return r.rig.Lights() == r.log.world.Lights.Value.Colors } // they may change between two readings
	if c.device == hardware.Lights && !r.until(tick, time.Second, told) {
		r.t.Errorf("the lights show %v and not %v", r.rig.Lights(), r.log.world.Lights.Value.Colors)
	}
	return v
}

// judge compares a verdict with its cell.
func (v *verdict) judge(t *testing.T) {
	t.Helper()
	v.judgeWheels(t)
	v.judgeWay(t)
	if v.healed > healLimit {
		t.Errorf("healed %v after the fault", v.healed)
	}
	if t.Failed() {
		t.Logf("%+v", *v)
	}
}

func (v *verdict) judgeWheels(t *testing.T) {
	t.Helper()
	if v.wheels == stop || v.wheels == pause || v.wheels == tries {
		if limit := v.offLimit(); v.off > limit {
			t.Errorf("wheels off after %v, limit %v", v.off, limit)
		}
		if v.still > lagLimit {
			t.Errorf("standing %v after the command was off, limit %v", v.still, lagLimit)
		}
	}
	switch v.wheels {
	case stop:
		if v.tries > 0 {
			t.Errorf("driven again for %v while broken", v.tries)
		}
		if v.still < 0 {
			t.Error("never stood")
		}
	case tries:
		if v.tries > tryLimit {
			t.Errorf("a further try drove for %v", v.tries)
		}
	case onward:
		if v.driven != stopLimit {
			t.Errorf("driven for %v of %v", v.driven, stopLimit)
		}
	}
}

// garbled is what random bytes may look like to a driver: it depends on what the driver reads when the fault begins.
var garbled = []hardware.Cause{hardware.CauseConfig, hardware.CauseWrongID, hardware.CauseRange}

func (v *verdict) judgeWay(t *testing.T) {
	t.Helper()
	l := v.log
	for _, cause := range l.Causes {
		if cause != v.cause && !(v.kind == sim.KindGarbage && slices.Contains(garbled, hardware.Cause(cause))) {
			t.Errorf("failed for %q: %q", cause, l.Texts)
		}
	}
	ok := false
	switch v.way {
	case retry:
		ok = l.Retries > 0 && l.Reinits == 0
	case reinit:
		ok = l.Reinits == 1 && l.Failures == 0
	case restart:
		ok = l.Failures > 0 && l.Restarts > 0
	case stale:
		ok = v.worst == hardware.Stale && l.Failures == 0
	case abort:
		ok = l.Frozen > 0 && l.Failures == 0 && v.worst == hardware.OK
	case lapse:
		ok = l.Lapses == 1 && l.Failures == 0 && v.worst >= hardware.Stale
	case unseen:
		ok = l.Errors+l.Retries+l.Reinits+l.Rejected+l.Frozen == 0 && l.Failures == 0 && v.worst >= v.fine()
	case onUse:
		ok = l.Failures == 0 || l.Restarts > 0
	}
	if !ok {
		t.Errorf("not the expected way, %s: worst %v, %+v", v.way, v.worst, l)
	}
	fine := hardware.OK
	if v.way == unseen {
		fine = v.fine()
	}
	if seen := v.seen >= 0 || v.worst < fine; seen == (v.way == unseen) && v.way != onUse {
		t.Errorf("seen: %v", v.seen)
	}
}

// fine is the worst quality of a reading of which no driver needs to know why. Others wait for a bus that is held.
func (c *cell) fine() hardware.Quality {
	if c.holdsBus() {
		return hardware.Stale
	}
	return hardware.OK
}

// table is the whole matrix for people.
func table(rows []verdict) string {
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	put("Faults of %v while the shipped tree drives at 80 mm/s; all times in ms.", faultTime)
	put("seen: first sign of the driver. off: no power or all duties 0, limit %v (host: %v). still: from off to standing (inertia), limit %v.", stopLimit, powerLimit, lagLimit)
	put("again: longest time driven in one go later during the fault. top: fastest during the fault, mm/s. healed: all devices OK for good after the end of the fault,")
	put("limit %v. life: %d mm driven after it, limit %v. Every cell: 0 falls, 0 lifecycle violations.\n", healLimit, lifeMM, lifeLimit)
	put("%-9s %-8s %-5s %-8s %-8s|%6s %-7s|%5s %6s %5s %5s %4s |%5s %6s %6s %6s %5s %5s |%7s %6s", "device", "kind", "class", "expected", "cause",
		"seen", "worst", "off", "still", "mm", "again", "top", "retry", "reinit", "frozen", "reject", "fail", "start", "healed", "life")
	for _, v := range rows {
		l := v.log
		put("%-9s %-8s %-5s %-8s %-8s|%6s %-7s|%5s %6s %5s %5s %4.0f |%5d %6d %6d %6d %5d %5d |%7s %6s", v.device, v.kind, v.class, v.way, dash(v.cause),
			ms(v.seen), v.worst, v.offText(), ms(v.stillText()), v.mmText(), ms(v.againText()), v.topMMPS, l.Retries, l.Reinits, l.Frozen, l.Rejected, l.Failures, l.Restarts,
			ms(v.healed), ms(v.life))
	}
	put("\nNot seen by the driver, and why:")
	for _, v := range rows {
		if v.way == unseen || v.way == onUse {
			put("  %-8s %-8s %s", v.device, v.kind, v.why)
		}
	}
	put("Remarks:")
	for _, v := range rows {
		if v.way != unseen && v.way != onUse && v.why != "" {
			put("  %-8s %-8s %s", v.device, v.kind, v.why)
		}
	}
	return b.String()
}

// offText is when the wheels stopped because of the fault, if they did.
func (v *verdict) offText() string {
	if v.wheels == onward {
		return "on"
	}
	return ms(v.off)
}

func (v *verdict) stillText() time.Duration {
	if v.wheels == onward {
		return -1
	}
	return v.still
}

func (v *verdict) againText() time.Duration {
	if v.wheels == onward {
		return -1
	}
	return v.tries
}

func (v *verdict) mmText() string {
	if v.stillText() < 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", v.wayMM)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// ms is a duration in whole milliseconds, "-" if there is none.
func ms(d time.Duration) string {
	if d < 0 {
		return "-"
	}
	return fmt.Sprint(d.Round(time.Millisecond).Milliseconds())
}
