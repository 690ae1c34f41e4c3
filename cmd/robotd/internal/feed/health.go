package feed

import (
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// checkNames are the checks of /readyz beyond the tick itself: without a base behavior nothing is decided, without motors
// nothing moves, without cliff sensors nothing may move.
var checkNames = [...]string{"base_behavior", "device_motors", "device_cliff"}

const (
	failBase = 1 << iota
	failMotors
	failCliff
)

// check notes the health checks.
func (p *Publisher) check(e *engine.Engine) {
	var bits uint32
	if e.Stack().Depth() == 0 {
		bits |= failBase
	}
	w := e.View().World
	if w.QualityOf(hardware.Motors) < hardware.Stale {
		bits |= failMotors
	}
	if w.QualityOf(hardware.Cliff) < hardware.Stale {
		bits |= failCliff
	}
	p.failing.Store(bits)
}

// aliveFloor keeps short periods from failing the health check at every scheduling delay.
const aliveFloor = 100 * time.Millisecond

// Alive is the health check: the newest tick is younger than three periods.
func (p *Publisher) Alive() []string {
	at := p.at.Load()
	if at == 0 || p.now().Sub(time.Unix(0, at)) > max(3*p.period, aliveFloor) {
		return []string{"tick"}
	}
	return nil
}

// Ready is the readiness check.
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
