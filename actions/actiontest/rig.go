package actiontest

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Period is the tick of all tests.
const Period = 60 * time.Millisecond

// Start is the first instant of all tests.
func Start() time.Time { return time.Unix(1_000_000, 0).UTC() }

// A Rig runs a list against a Robot.
type Rig struct {
	*Robot
	List *actions.List
	// Before runs before each update, for what happens to the robot.
	Before func(tick int)
	// Done are all completions so far.
	Done []actions.Completion

	tick    int
	ids     uint64
	planner *Planner
}

// NewRig returns a rig with an empty list.
func NewRig(host actions.Host) *Rig {
	return &Rig{Robot: NewRobot(Start()), List: actions.NewList(host, Start())}
}

// Tick lets one period pass and updates the list once. The first tick is at Start.
func (r *Rig) Tick() []actions.Completion {
	if r.tick > 0 {
		r.Step(Period)
	}
	r.tick++
	if r.Before != nil {
		r.Before(r.tick)
	}
	w := r.World // actions see a copy: nothing changes under their hands
	env := actions.Env{
		Now: w.Now, World: &w, Seed: 1, Tick: uint64(r.tick),
		Send:   r.Send,
		NextID: func() uint64 { r.ids++; return r.ids },
	}
	if r.planner != nil {
		env.Paths = r.planner
	}
	done := r.List.Update(&env)
	r.Done = append(r.Done, done...)
	return done
}

// Ticks is the number of updates so far.
func (r *Rig) Ticks() int { return r.tick }

// Run queues an action and ticks until it ends, at most for limit.
func (r *Rig) Run(t testing.TB, a actions.Action, o actions.QueueOptions, limit time.Duration) actions.Completion {
	t.Helper()
	tag, err := r.List.Queue(a, o)
	if err != nil {
		t.Fatalf("queue %s: %v", a.Name(), err)
	}
	for end := r.World.Now.Add(limit); r.World.Now.Before(end); {
		for _, c := range r.Tick() {
			if c.Tag == tag {
				return c
			}
		}
	}
	t.Fatalf("%s still runs after %v: %+v", a.Name(), limit, r.List.Running())
	return actions.Completion{}
}

// Count is the number of commands of type C sent so far.
func Count[C hardware.Command](r *Robot) int {
	n := 0
	for _, c := range r.Sent {
		if _, ok := c.(C); ok {
			n++
		}
	}
	return n
}
