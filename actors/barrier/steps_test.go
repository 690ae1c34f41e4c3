package barrier

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// Kinds of jobs and errors, as model/state.pml and model/trace.pml number them.
const (
	jobConstruct = 0
	jobQuestions = 2
	jobUpdate    = 5 // any hook but a question
	jobStep      = 9

	failedByPanic  = 1
	failedUnwound  = 2
	failedByGoexit = 3
)

// A recorder writes down the steps of a barrier, each in a line that the model reads. Workers, ports, incarnations and mailboxes are
// numbered in the order in which they appear.
type recorder struct {
	mu      sync.Mutex
	lines   []string
	workers numbers[*worker]
	ports   numbers[*hookPort]
	incs    numbers[*behaviors.Instance]
	boxes   numbers[*mailbox]
	runs    map[*hookPort]int // the worker that got the port last
	on      map[int]uint64    // worker → its goroutine
	stuck   atomic.Bool       // the hook that runs hangs
}

func newRecorder() *recorder {
	return &recorder{
		workers: numbers[*worker]{}, ports: numbers[*hookPort]{}, incs: numbers[*behaviors.Instance]{}, boxes: numbers[*mailbox]{},
		runs: map[*hookPort]int{}, on: map[int]uint64{},
	}
}

// numbers numbers things from 1 on.
type numbers[K comparable] map[K]int

func (n numbers[K]) of(k K) int {
	if n[k] == 0 {
		n[k] = len(n) + 1
	}
	return n[k]
}

// trace implements tracer.
func (r *recorder) trace(s step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case s.kind == stepEndsTick:
		r.write(string(s.kind))
	case s.port != nil:
		r.request(s)
	default:
		r.work(s)
	}
}

func (r *recorder) write(name string, n ...int) {
	for _, k := range n {
		name += " " + strconv.Itoa(k)
	}
	r.lines = append(r.lines, name)
}

// request writes a step of a request. A goroutine that is not the one of the port's worker meddles.
func (r *recorder) request(s step) {
	name, p, w := string(s.kind), r.ports.of(s.port), r.runs[s.port]
	switch s.kind {
	case stepAnswers:
		r.write(name, p, s.n+1)
	case stepRefuses, stepServes:
		r.write(name, p, 0)
	default:
		if on, ok := r.on[w]; !ok || on != goroutine() {
			name = "meddler_" + name
		}
		if s.kind == stepGoesOn {
			s.n++
		}
		r.write(name, p, s.n, w)
	}
}

// work writes a step of a worker, or of the engine about its job.
func (r *recorder) work(s step) {
	w := r.workers.of(s.job.w) - 1
	switch s.kind {
	case stepHandsOver:
		r.handsOver(w, s.job)
		return
	case stepGivesUp:
		r.stuck.Store(false)
	case stepBegins:
		r.on[w] = goroutine()
	case stepReturns:
		s.n = 0
		if s.job.poll {
			inv := &s.job.items[index(s.job.state.Load())].msg.(*invoke).frame.Inv
			if inv.Answer || inv.Alone {
				s.n = 1
			}
		}
	case stepMoves:
		s.n = int(s.job.state.Load() &^ abandoned)
	case stepFails:
		s.n = r.failure(s.job.items[s.n].err)
	}
	r.write(string(s.kind), w, s.n)
}

func (r *recorder) failure(err error) int {
	var p *panicked
	switch {
	case errors.Is(err, engine.ErrRevoked):
		return failedUnwound
	case errors.As(err, &p) && p.goexit:
		return failedByGoexit
	}
	return failedByPanic
}

func (r *recorder) handsOver(w int, j *job) {
	kind := jobUpdate
	switch j.items[0].msg.(type) {
	case *construct:
		kind = jobConstruct
	case *stepAction:
		kind = jobStep
	default:
		if j.poll {
			kind = jobQuestions
		}
	}
	r.write(string(stepHandsOver), w, kind)
	for _, it := range j.items {
		port, inc := 0, 0
		if m, hook := it.msg.(*invoke); hook {
			p := m.frame.Port().(*hookPort)
			port, inc = r.ports.of(p), r.incs.of(m.inst)
			r.runs[p] = w
		}
		r.write("item", w, port, inc, r.boxes.of(it.mailbox))
	}
	r.write("handed", w, len(j.items))
}

// fits reports whether the model has room for the trace: the sizes of model/trace.pml.
func (r *recorder) fits() error {
	if len(r.workers) > 16 || len(r.ports) >= 250 || len(r.incs) >= 64 || len(r.boxes) >= 64 {
		return fmt.Errorf("%d workers, %d ports, %d incarnations, %d mailboxes: more than the model has", len(r.workers), len(r.ports), len(r.incs), len(r.boxes))
	}
	return nil
}

// String is the trace as the model reads it.
func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.lines, "\n") + "\n"
}

// goroutine is the number of the goroutine that calls it.
func goroutine() (id uint64) {
	buf := make([]byte, 64)
	buf = bytes.TrimPrefix(buf[:runtime.Stack(buf, false)], []byte("goroutine "))
	if _, err := fmt.Sscan(string(buf), &id); err != nil {
		panic(err)
	}
	return id
}
