package feed

import (
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// checkNames are the checks of /readyz beyond the tick itself: a base behavior, working motors, working cliff sensors, if it has
// these.
var checkNames = [...]string{"base_behavior", "device_motors", "device_cliff"}

const (
	failBase = 1 << iota
	failMotors
	failCliff
)

// check stores the results of the health checks. A reading that is only old fails none: devices and machine may be busy.
func (p *Publisher) check(e *engine.Engine) {
	var bits uint32
	if e.Stack().Depth() == 0 {
		bits |= failBase
	}
	w := e.View().World
	has := p.robot.Profile.Has
	if has(hardware.Motors) && w.QualityOf(hardware.Motors) < hardware.Stale {
		bits |= failMotors
	}
	if has(hardware.Cliff) && w.QualityOf(hardware.Cliff) < hardware.Stale {
		bits |= failCliff
	}
	p.failing.Store(bits)
}

// aliveFloor keeps a machine that is busy with other things from failing the health check: its ticks come late, and a restart
// would not help. The wheels have stopped by their lease long before.
const aliveFloor = 500 * time.Millisecond

// completed notes the instant of the newest tick. Only its distance from the start counts: a clock that is set back or forth, as NTP
// does after a start without a network, makes no healthy robot stale and no dead one healthy.
func (p *Publisher) completed(at time.Time) { p.at.Store(int64(max(at.Sub(p.start), 1))) }

// Alive returns the failing health checks: "tick" if the newest tick is older than three periods and half a second.
func (p *Publisher) Alive() []string {
	at := time.Duration(p.at.Load())
	if at == 0 || p.now().Sub(p.start)-at > max(3*p.period, aliveFloor) {
		return []string{"tick"}
	}
	return nil
}

// Ready returns the failing readiness checks.
func (p *Publisher) Ready() []string {
	failing := p.Alive()
	if len(failing) > 0 {
		return failing
	}
	bits := p.failing.Load()
	for i, name := range checkNames {
		if bits&(1<<i) != 0 {
			failing = append(failing, name)
		}
	}
	return failing
}
