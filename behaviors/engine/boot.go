package engine

import (
	"cmp"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack"
)

// A Stage of a robot's life chooses its base behavior (L-31). The zero value is that of a robot in daily use.
type Stage uint8

// The stages.
const (
	StageComplete   Stage = iota // normalBaseBehavior
	StageOnboarding              // onboardingBehavior: its owner does not know it yet
	StageDev                     // devBaseBehavior: does nothing by itself
	StageFactory                 // factoryBehavior
	stages
)

var stageNames = [stages]string{"complete", "onboarding", "dev", "factory"}

func (s Stage) String() string { return stageNames[s] }

// Stages lists the names of the stages.
func Stages() []string { return stageNames[:] }

// ParseStage is the stage of that name.
func ParseStage(name string) (Stage, bool) {
	for s, n := range stageNames {
		if n == name {
			return Stage(s), true
		}
	}
	return 0, false
}

// role is the configured base behavior of a stage, or "" if there is none; key is where it would be.
func (s Stage) role(b *catalog.Boot) (id, key string) {
	switch s {
	case StageOnboarding:
		return b.Onboarding, "onboardingBehavior"
	case StageDev:
		return b.Dev, "devBaseBehavior"
	case StageFactory:
		return b.Factory, "factoryBehavior"
	}
	return b.Base, "normalBaseBehavior"
}

// base is the base behavior of a stage; a stage without one of its own has that of daily use.
func (s Stage) base(b *catalog.Boot) string {
	id, _ := s.role(b)
	return cmp.Or(id, b.Base)
}

// onboardingDelay is for how many ticks the robot waits before onboarding starts anew (L-32).
const onboardingDelay = 20

// boot is the boot loader: it chooses the base behavior and switches after the walk, so that the new base starts in the next
// tick.
type boot struct {
	base    *stack.Node // the boot behavior
	stage   Stage
	pending bool        // base was changed without a reset: the next reset to the boot behavior uses it
	next    *stack.Node // switch to it after this walk; nil for none
	delay   int         // ticks until onboarding starts anew; 0 for none
	run     *stack.Node // an operator's behavior, and how often it runs once more; negative for ever
	again   int
	testing bool        // the self test is the base
	tested  *stack.Node // the base before the self test

	stop    *stack.Node // the base during an emergency stop; nil for none
	stays   bool        // it has the stack anyway, or there is none: the present stop took the stack from nobody
	stopped uint64      // number of the newest emergency stop
	resumed uint64      // number of the newest one that was resumed

	cycles stack.CycleMonitor
	pairs  map[[2]*stack.Node]bool // reported
}

// Stage is the stage of the robot's life.
func (e *Engine) Stage() Stage { return e.boot.stage }

// Boot is the ID of the boot behavior.
func (e *Engine) Boot() string { return e.boot.base.ID }

// toBoot makes the next Begin reset to the boot behavior.
func (e *Engine) toBoot() {
	e.boot.pending, e.boot.next, e.boot.run, e.boot.testing = false, nil, nil, false
	_ = e.stack.ResetNext(e.boot.base)
}

// setBoot changes the boot behavior. The one that it is already is no change, unless a switch waits; so does that to onboarding.
func (e *Engine) setBoot(n *stack.Node, now bool) {
	if n == e.boot.base && !e.boot.pending && e.boot.next == nil && e.boot.delay == 0 {
		return
	}
	e.boot.base, e.boot.delay = n, 0
	e.boot.next, e.boot.pending = nil, !now
	if now {
		e.boot.next, e.boot.run, e.boot.testing = n, nil, false
	}
}

// setStage changes the stage at run time. Complete leads to what follows onboarding; any other stage than onboarding only counts
// from the next start on, and onboarding starts anew after a while of doing nothing.
func (e *Engine) setStage(s Stage) (text, err string) {
	if s >= stages {
		return "", "there is no such stage"
	}
	id, key := s.role(&e.catalog.Boot)
	if id == "" {
		return "", "the boot configuration has no " + key
	}
	e.boot.stage = s
	switch s {
	case StageComplete:
		e.setBoot(e.cells[cmp.Or(e.catalog.Boot.PostOnboarding, id)].Node, true)
	case StageOnboarding:
		e.setBoot(e.cells[e.catalog.Boot.Fallback].Node, true)
		e.boot.delay = onboardingDelay
	default:
		return "the stage is " + s.String() + " from the next start on", ""
	}
	return "the stage is " + s.String(), ""
}

// bootLoader runs after the walk (T-1.5): a switch that was asked for, and the countdown to onboarding.
func (e *Engine) bootLoader() {
	if e.halted {
		return // what waits goes on when the operator resumes
	}
	if e.boot.delay > 0 {
		if e.boot.delay--; e.boot.delay == 0 {
			e.setBoot(e.cells[e.catalog.Boot.Onboarding].Node, true)
		}
	}
	if e.boot.next != nil {
		_ = e.stack.ResetNow(e.boot.next)
		e.boot.next = nil
	}
}

// execute makes an operator's behavior the base for a number of runs.
func (e *Engine) execute(n *stack.Node, times int) {
	e.boot.run, e.boot.again = n, max(times-1, 0)
	if times < 0 {
		e.boot.again = -1
	}
	e.boot.testing = false
	_ = e.stack.ResetNext(n)
}

// successor is the next base of an empty stack.
func (e *Engine) successor() *stack.Node {
	switch {
	case e.halted && e.boot.stop != nil && !e.boot.stop.Disabled():
		return e.boot.stop
	case e.boot.testing:
		_, _ = e.endSelfTest()
		return e.stack.Pending()
	case e.boot.run != nil && e.boot.run == e.stack.Base() && e.boot.again != 0 && !e.boot.run.Disabled():
		e.boot.again--
		return e.boot.run
	}
	e.boot.run, e.boot.pending = nil, false
	return e.boot.base
}

// followUp names the next base if the stack is empty because the present one was only for a while: that is no fault.
func (e *Engine) followUp() {
	base := e.stack.Base()
	if e.stack.Depth() > 0 || base == nil || e.stack.Pending() != nil || base.Broken() {
		return
	}
	safe := e.cells[e.catalog.Boot.ResetSafely]
	ran := base == e.boot.run && e.boot.again == 0
	rests := safe != nil && base == safe.Node && base != e.boot.run && !e.boot.testing // else it runs for the operator
	if base != e.boot.base && !e.halted && (ran || rests) {
		e.toBoot()
	}
}

// beginSelfTest makes the self test the base, and remembers what it interrupts (L-33).
func (e *Engine) beginSelfTest() (text, err string) {
	id := e.catalog.Boot.SelfTest
	switch {
	case id == "":
		return "", "the boot configuration has no selfTestBehavior"
	case e.boot.testing:
		return "", "the self test runs already"
	}
	if err := unusable(e.cells[id].Node); err != "" {
		return "", err
	}
	e.boot.testing, e.boot.tested = true, e.stack.Base()
	_ = e.stack.ResetNext(e.cells[id].Node)
	return "self test: " + id, ""
}

// endSelfTest puts back the base that the self test interrupted. The boot behavior was never changed.
func (e *Engine) endSelfTest() (text, err string) {
	if !e.boot.testing {
		return "", "no self test runs"
	}
	e.boot.testing = false
	_ = e.stack.ResetNext(e.boot.tested)
	return "back to " + e.boot.tested.ID, ""
}

// unusable is the refusal of an operator's choice of a base that failed too often: it would empty the stack and not start.
func unusable(n *stack.Node) string {
	if n.Disabled() {
		return n.ID + " is disabled: it failed too often"
	}
	if n.Early {
		return n.ID + " is an analyzer and never has control"
	}
	return ""
}

// walk is the stack update; afterwards the cycle monitor is told if it changed the stack (L-41).
func (e *Engine) walk() {
	before := e.stack.Moves()
	_ = e.stack.Walk()
	if e.stack.Moves() == before {
		return
	}
	if a, b, cycle := e.boot.cycles.Changed(e.view.Tick, e.stack.Top()); cycle {
		e.breakCycle(a, b)
	}
}

// breakCycle resets to the behavior that brings the robot into a safe state and then ends, so that the boot behavior is the base again
// (L-41). Each pair is reported once; the reset comes every time. During an emergency stop the stack stays with the behavior that holds it.
func (e *Engine) breakCycle(a, b *stack.Node) {
	if e.boot.pairs == nil {
		e.boot.pairs = map[[2]*stack.Node]bool{}
	}
	e.stack.DeclareCycle(a, b, e.boot.pairs[[2]*stack.Node{a, b}])
	e.boot.pairs[[2]*stack.Node{a, b}] = true
	if e.halted {
		return
	}
	e.toBoot()
	safe := e.cells[e.catalog.Boot.ResetSafely]
	if safe == nil || safe.Node == e.boot.base || safe.Node.Disabled() {
		return
	}
	_ = e.stack.ResetNext(safe.Node)
}
