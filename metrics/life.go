package metrics

import (
	"cmp"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// Reasons for which a layer was popped, and for a reset.
const (
	poppedByRequest = "request" // the behavior or one below it asked for it
	poppedByFault   = "fault"
	poppedByReset   = "reset"
	poppedByStop    = "stop"

	resetCommand  = "command"
	resetRecovery = "recovery" // the stack was empty
	resetCycle    = "cycle"    // behaviors handed control back and forth
)

// Kinds and outcomes of a delegation.
const (
	kindBehavior = "behavior"
	kindAction   = "action"

	outcomeAccepted = "accepted"
	outcomeRefused  = "refused"
)

// lifecycle exports the changes of the stack. It belongs to the goroutine that calls ObserveTick.
type lifecycle struct {
	behaviors *behaviorSet
	actions   *actionSet
	faults    *faultSet

	depth, scope prometheus.Gauge

	accepted, refused [2]prometheus.Counter // delegations to a behavior, to an action
	reasons           []prometheus.Counter  // of refused delegations, by stack.Reason
	requests          []prometheus.Counter  // refused, by stack.Op
	violations        map[string]prometheus.Counter
	popped, resets    map[string]prometheus.Counter
	disabled, dropped prometheus.Counter
	declined, cycles  prometheus.Counter
	resumed           prometheus.Counter

	on        []string // activated now, base first, from the events of this tick
	culprit   string   // behavior whose failure pops what is being popped
	resetting bool     // until the next push
	cycling   bool     // until the next reset
}

func newLifecycle(f *maker, o Options, faults *faultSet) *lifecycle {
	l := &lifecycle{
		behaviors: newBehaviorSet(f, o.Behaviors), actions: newActionSet(f, o.Actions), faults: faults,
		depth: f.gauge("robotd_stack_depth"), scope: f.gauge("robotd_scope_size"),
		disabled: f.counter("robotd_behaviors_disabled_total"), dropped: faults.dropped,
		declined: f.counter("robotd_base_declined_total"), cycles: f.counter("robotd_stack_cycles_total"),
		resumed: f.counter("robotd_activations_resumed_total"),
	}
	delegations := f.counters("robotd_delegations_total")
	for i, kind := range []string{kindBehavior, kindAction} {
		l.accepted[i] = delegations.WithLabelValues(kind, outcomeAccepted)
		l.refused[i] = delegations.WithLabelValues(kind, outcomeRefused)
	}
	reasons := f.counters("robotd_delegations_refused_total")
	l.reasons = []prometheus.Counter{nil} // there is no reason 0
	for _, r := range stack.Reasons() {
		l.reasons = append(l.reasons, reasons.WithLabelValues(r.String()))
	}
	requests := f.counters("robotd_requests_refused_total")
	for _, op := range opNames() {
		l.requests = append(l.requests, requests.WithLabelValues(op))
	}
	var rules []string
	for _, inv := range stack.Invariants() {
		rules = append(rules, inv.Name)
	}
	l.violations = children(f.counters("robotd_lifecycle_violations_total"), append(rules, other)...)
	l.popped = children(f.counters("robotd_cancellations_total"), poppedByRequest, poppedByFault, poppedByReset, poppedByStop)
	l.resets = children(f.counters("robotd_stack_resets_total"), resetCommand, resetRecovery, resetCycle)
	return l
}

// opNames are the label values of requests, by stack.Op.
func opNames() []string {
	return []string{
		stack.OpDelegate: "delegate", stack.OpCancelDelegates: "cancel_delegates", stack.OpCancelSelf: "cancel_self",
		stack.OpAsk: "ask", stack.OpAct: "act",
	}
}

// children makes the series of a vector with one label.
func children(v *prometheus.CounterVec, values ...string) map[string]prometheus.Counter {
	m := make(map[string]prometheus.Counter, len(values))
	for _, value := range values {
		m[value] = v.WithLabelValues(value)
	}
	return m
}

func (l *lifecycle) observe(now time.Time, o *engine.Output, e *engine.Engine) {
	s := e.Stack()
	if len(o.Events) > 0 {
		l.events(o.Events, s.Base())
	}
	for _, c := range o.Done {
		if c.Owner != "" { // each accepted delegation to an action ends in exactly one completion (DONE-1)
			l.accepted[1].Inc()
		}
		l.actions.done(c)
	}
	for _, v := range o.Violations {
		rule, _, _ := strings.Cut(v, ":")
		cmp.Or(l.violations[rule], l.violations[other]).Inc()
	}
	if o.Dropped > 0 {
		l.dropped.Add(float64(o.Dropped))
	}
	l.depth.Set(float64(s.Depth()))
	l.scope.Set(float64(s.ScopeSize()))
	if l.behaviors.follow(now, s.Layers()) {
		l.on = l.on[:0]
		for i := range s.Layers() {
			l.on = append(l.on, s.Layers()[i].Node().ID)
		}
	}
}

// events counts the events of one tick, in their order. Base is the base behavior after it, nil at shutdown. The push of
// the base is no delegation, and a push whose OnActivated failed is one that was refused.
func (l *lifecycle) events(events []stack.Event, base *stack.Node) {
	pushed := 0
	l.culprit = "" // a failure pops within its tick
	for i := range events {
		ev := &events[i]
		switch ev.Kind {
		case stack.EventEnteredScope:
			l.behaviors.find(ev.ID).to[toInScope].Inc()
		case stack.EventLeftScope:
			l.behaviors.find(ev.ID).to[toOutOfScope].Inc()
		case stack.EventPush:
			l.resetting = false
			l.on = append(l.on, ev.ID)
			if base != nil && ev.ID != base.ID {
				pushed++
			}
		case stack.EventActivated:
			l.behaviors.find(ev.ID).to[toActivated].Inc()
			if ev.Text == stack.Resumed {
				l.resumed.Inc()
			}
		case stack.EventDeactivated:
			l.behaviors.find(ev.ID).to[toDeactivated].Inc()
			l.pop(ev.ID, base)
		case stack.EventRefused:
			pushed -= l.refusal(ev)
		case stack.EventFault:
			l.fault(ev.ID)
		case stack.EventReplaced:
			l.faults.replaced(ev.ID)
		case stack.EventDisabled:
			l.faults.cause(ev.ID)
			l.disabled.Inc()
		case stack.EventReset:
			l.reset()
		case stack.EventBaseDeclined:
			l.declined.Inc()
		case stack.EventCycle:
			l.cycles.Inc()
			l.cycling = true
		}
	}
	if pushed > 0 {
		l.accepted[0].Add(float64(pushed))
	}
}

// refusal counts a refused request and returns the number of pushes that it takes back: 1 if the delegate was pushed, but
// its activation failed.
func (l *lifecycle) refusal(ev *stack.Event) int {
	l.requests[ev.Op].Inc()
	switch ev.Op {
	case stack.OpDelegate:
		l.refused[0].Inc()
	case stack.OpAct:
		l.refused[1].Inc()
	default:
		return 0
	}
	l.reasons[ev.Reason].Inc()
	if ev.Reason == stack.Faulted && ev.ID != "" {
		return 1
	}
	return 0
}

// fault stores the failed behavior whose layers, down to its own, are popped next.
func (l *lifecycle) fault(id string) {
	if l.culprit != "" {
		return
	}
	for _, on := range l.on {
		if on == id {
			l.culprit = id
		}
	}
}

// pop counts the end of the topmost layer under its reason.
func (l *lifecycle) pop(id string, base *stack.Node) {
	if n := len(l.on); n > 0 {
		l.on = l.on[:n-1]
	}
	switch {
	case l.culprit != "":
		l.popped[poppedByFault].Inc()
	case l.resetting:
		l.popped[poppedByReset].Inc()
	case base == nil:
		l.popped[poppedByStop].Inc()
	default:
		l.popped[poppedByRequest].Inc()
	}
	if id == l.culprit {
		l.culprit = ""
	}
}

// reset counts a reset, and marks the layers that it pops. The reset of an empty stack is a recovery; the first reset after a cycle
// breaks it.
func (l *lifecycle) reset() {
	switch {
	case l.cycling:
		l.resets[resetCycle].Inc()
	case len(l.on) == 0:
		l.resets[resetRecovery].Inc()
	default:
		l.resets[resetCommand].Inc()
	}
	l.cycling, l.resetting = false, true
}
