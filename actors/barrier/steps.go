package barrier

// A stepKind names a step of the barrier. model/trace.pml has the same names.
type stepKind string

// Steps of the engine's goroutine.
const (
	stepHandsOver stepKind = "hands_over" // a job to a worker
	stepLeavesOut stepKind = "leaves_out" // it, because too many hooks never returned
	stepLooks     stepKind = "looks"      // at a job: n is its state
	stepGivesUp   stepKind = "gives_up"   // the worker of the job
	stepMisses    stepKind = "misses"     // it: the item ended since the look
	stepHears     stepKind = "hears"      // that a job is done
	stepRefuses   stepKind = "refuses"    // a request, as stale
	stepServes    stepKind = "serves"     // a request
	stepAnswers   stepKind = "answers"    // it: n is the verdict
	stepEndsTick  stepKind = "ends_tick"
)

// Steps of a worker. n is the item.
const (
	stepBegins  stepKind = "begins"
	stepSkips   stepKind = "skips" // its behavior was lost before its turn
	stepReturns stepKind = "returns"
	stepFails   stepKind = "fails" // by panic, by Goexit, or because it was unwound
	stepMoves   stepKind = "moves" // on: the state of the job says where to
	stepReports stepKind = "reports"
	stepLeaves  stepKind = "leaves" // its job, which it was abandoned with
)

// Steps of a goroutine that makes a request, as a rule that of a worker.
const (
	stepCalls  stepKind = "calls"
	stepAsks   stepKind = "asks"
	stepGoesOn stepKind = "goes_on" // n is the verdict
	stepGetsNo stepKind = "gets_no" // the request never left the goroutine
)

// A step is told by the goroutine that makes it: what others may see happens between two steps that it tells.
type step struct {
	kind stepKind
	job  *job
	port *hookPort
	n    int
}

// A tracer is told every step, on the goroutine that makes it. Robots have none.
type tracer interface{ trace(s step) }

// step tells a step of the worker or about its job.
func (w *worker) step(kind stepKind, n int) {
	if w.tracer != nil {
		w.tell(kind, n)
	}
}

// tell is apart so that a hook that nobody traces pays for a comparison alone.
//
//go:noinline
func (w *worker) tell(kind stepKind, n int) {
	w.tracer.trace(step{kind: kind, job: &w.delivery.job, n: n})
}

// step tells a step of a request.
func (p *hookPort) step(kind stepKind, n int) {
	if p.barrier.tracer != nil {
		p.barrier.tracer.trace(step{kind: kind, port: p, n: n})
	}
}
