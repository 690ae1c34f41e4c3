package engine

import (
	"cmp"
	"fmt"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/estimate"
)

// maxEvents bounds the events of one tick; the oldest beyond it are dropped and counted.
const maxEvents = 1024

// maxRequests bounds the requests of one hook. The busiest dispatcher known makes 60; a hook that loops over requests is
// a hang that makes progress.
const maxRequests = 4096

// Options configure an Engine.
type Options struct {
	Catalog *catalog.Catalog
	// Base overrides the base behavior of the boot configuration.
	Base string
	// Stage of the robot's life chooses the base behavior if Base does not (L-31).
	Stage Stage
	// Memory is what an earlier life left. Nil means nothing.
	Memory *Memory
	// Check returns what does not hold after a tick. Nil means the invariants of the stack.
	Check func(*stack.Stack) []string
	// Unchecked leaves the check out until the command SetChecks.
	Unchecked bool
	// Hooks runs hooks. Nil means Direct.
	Hooks HookRunner
	// Mark is called at the end of each phase, to time them; the engine has no clock. Nil means no call.
	Mark func(Phase)
	// MaxFailures of one behavior within a minute are answered with a fresh incarnation; the next one disables it.
	// Default 3.
	MaxFailures int
	// Recorder records what a replay needs. Nil means no recording.
	Recorder Recorder
	// Changes returns the change that a command Reload asks for. Nil means that there is none.
	Changes func(c *Command) (*catalog.Change, error)
}

// An Engine decides one tick at a time and keeps the state of all behaviors in between. Only the stack supervisor, or a replay, may
// use it, one call at a time.
type Engine struct {
	core
	cells    map[string]*Cell
	ordered  []*Cell // by ID
	byEvent  map[string][]*Cell
	hooks    HookRunner
	mark     func(Phase)
	recorder Recorder // nil: nothing is recorded, and no call is copied for it
	patient  int      // Options.MaxFailures
	memory   *Memory  // of an earlier life
	changes  func(c *Command) (*catalog.Change, error)
	// generation counts the changes of the catalog.
	generation uint64
	estimator  *estimate.Estimator
	env        actions.Env

	askers  []*Cell             // whose questions are being answered, the outermost first
	ballots []*behaviors.Ballot // by the number of askers
	asked   []*asked            // by the number of calls of host.Ask in flight
	asking  int                 // these
	met     int                 // conditions of the behavior that is asked now that are known to be met
	answers *behaviors.Answers  // of this tick; nil if nobody wants to know
	losses  uint64              // incarnations
	locked  int                 // suppressions in force
	leaving *Cell               // whose OnDeactivated runs

	// Components: each keeps its own state.
	boot      boot
	intents   intents
	mood      mood
	feature   feature
	looks     looks
	profile   profile
	locks     locks
	lights    lights
	responses responses
	getOut    getOut
	power     power
	face      face
	cube      cube
	reflexes  reflexes
	choices   choices
	paths     paths
	analyses  analyses
	stats     map[string]uint64
	helped    helped
	happened  happened
	operator  operator
	steer     steer

	buffers   tickBuffers
	seed      uint64
	check     func(*stack.Stack) []string
	unchecked bool                 // check is left out
	waiting   []actions.Completion // ended since the last tick's phase 4
	early     []actions.Completion // of them, those that were cancelled before this tick's action phase, and are settled
	heard     []*Cell              // that were handed events in this tick
	cellsBuf  []*Cell              // scratch of Batch, dropped when an incarnation is lost
	frameBuf  []*Frame
}

// New builds an engine over a catalog; Start makes the first incarnations.
func New(o Options) (*Engine, error) {
	e := &Engine{
		core:  core{catalog: o.Catalog, view: &condition.View{World: &hardware.World{}}},
		hooks: o.Hooks, cells: make(map[string]*Cell, len(o.Catalog.Entries)), byEvent: map[string][]*Cell{}, estimator: estimate.New(),
	}
	if e.mark = o.Mark; e.mark == nil {
		e.mark = func(Phase) {}
	}
	if e.check, e.unchecked = o.Check, o.Unchecked; e.check == nil {
		e.check = (*stack.Stack).TickViolations
	}
	if e.hooks == nil {
		e.hooks = &Direct{}
	}
	if e.recorder = o.Recorder; e.recorder != nil {
		e.hooks = e.recorder.Around(e.hooks)
	}
	e.memory = o.Memory
	e.patient, e.changes = cmp.Or(o.MaxFailures, maxFailures), o.Changes
	e.ordered = make([]*Cell, 0, len(o.Catalog.Entries))
	nodes := make([]*stack.Node, 0, len(o.Catalog.Entries))
	nodeOf := make([]stack.Node, len(o.Catalog.Entries)) // side by side, in the order in which a tick walks them
	cellOf := make([]Cell, len(o.Catalog.Entries))
	for i, entry := range o.Catalog.Entries {
		c := &cellOf[i]
		c.Node, c.Entry, c.seldom = &nodeOf[i], entry, &nothingSeldom
		c.Node.ID, c.Node.Data, c.Node.Early = entry.ID, c, entry.Analyzer != ""
		e.cells[entry.ID] = c
		e.ordered = append(e.ordered, c)
		nodes = append(nodes, c.Node)
	}
	for _, c := range e.ordered {
		if err := c.Node.SetDelegates(e.nodesOf(c.Entry.Delegates), e.nodesOf(c.Entry.Links)); err != nil {
			return nil, err
		}
	}
	if o.Stage >= stages {
		return nil, fmt.Errorf("engine: there is no stage %d", o.Stage)
	}
	base := cmp.Or(o.Base, o.Stage.base(&o.Catalog.Boot))
	if e.cells[base] == nil {
		return nil, fmt.Errorf("engine: there is no base behavior %q", base)
	}
	e.boot.stage, e.boot.base = o.Stage, e.cells[base].Node
	if stop := e.cells[cmp.Or(o.Catalog.Boot.EmergencyStop, o.Catalog.Boot.Fallback)]; stop != nil {
		e.boot.stop = stop.Node
	}
	s, err := stack.New((*host)(e), nodes)
	if err != nil {
		return nil, err
	}
	e.stack = s
	e.setOwned()
	e.actions = actions.NewList((*actionHost)(e), time.Time{})
	e.env = actions.Env{Send: e.fromAction, Paths: &e.paths}
	e.hooks.Bind(e)
	e.attach()
	return e, nil
}

// attach gives every component the core.
func (e *Engine) attach() {
	k := &e.core
	e.intents.core, e.mood.core, e.feature.core, e.looks.core, e.profile.core, e.locks.core, e.lights.core = k, k, k, k, k, k, k
	e.responses.core, e.getOut.core, e.power.core, e.face.core, e.cube.core, e.reflexes.core = k, k, k, k, k, k
	e.choices.core, e.analyses.core, e.paths.core, e.steer.core = k, k, k, k
	e.mood.buffers = &e.buffers
	e.intents.feedback.core = k
	e.lights.feedback = &e.intents.feedback
	e.feature.start()
}

func (e *Engine) nodesOf(ids []string) []*stack.Node {
	nodes := make([]*stack.Node, 0, len(ids))
	for _, id := range ids {
		nodes = append(nodes, e.cells[id].Node)
	}
	return nodes
}

// setOwned tells the stack which behaviors are anonymous ones of another (B-6).
func (e *Engine) setOwned() {
	owned := map[string][]*stack.Node{}
	for _, c := range e.ordered {
		if owner := c.Entry.Owner; owner != "" {
			owned[owner] = append(owned[owner], c.Node)
		}
	}
	for owner, nodes := range owned {
		e.stack.SetOwned(e.cells[owner].Node, nodes)
	}
}

// Start makes every incarnation, runs every Init by ID, then computes the operation modifiers in a second pass (L-1), and
// names the base. Behaviors that fail here are replaced like any other.
func (e *Engine) Start(now time.Time) error {
	e.view.Now = now
	if e.recorder != nil {
		e.recorder.Begin(Call{Kind: CallStart, Now: now, Base: e.boot.base.ID, Failures: e.patient, Stage: e.boot.stage, Memory: e.memory})
	}
	e.remember(e.memory, now)
	for _, c := range e.ordered {
		c.ready = c.Entry.First()
		if err := e.hooks.Fresh(c); err != nil {
			return fmt.Errorf("engine: %s: %w", c.Node.ID, err)
		}
		c.Node.Updates, c.Node.Modifies = c.Inc.Inst.HasUpdate(), c.Inc.Inst.HasModify()
	}
	if refusal := e.stack.Init(); refusal != nil {
		return refusal
	}
	if refusal := e.stack.Configure(e.boot.base); refusal != nil {
		return refusal
	}
	e.recorded(nil)
	return nil
}

// modifiersOf answers what class code alone says about a behavior, a dispatcher of dispatchers included (P-3). It is
// computed when it is asked for the first time. A behavior that is reached from itself counts as one that says nothing, and
// so does one that failed before it could say anything.
func (e *Engine) modifiersOf(id string) behaviors.Modifiers {
	c := e.cells[id]
	if c == nil {
		return behaviors.DefaultModifiers()
	}
	if c.code == nil && !c.modified {
		e.stack.Modify(c.Node)
	}
	if c.code == nil {
		return behaviors.DefaultModifiers()
	}
	return *c.code
}

// Stack gives observers the stack between two ticks. Not to be changed.
func (e *Engine) Stack() *stack.Stack { return e.stack }

// Cells lists every behavior by ID.
func (e *Engine) Cells() []*Cell { return e.ordered }

// Cell returns the behavior with an ID, or nil.
func (e *Engine) Cell(id string) *Cell { return e.cells[id] }

// Actions gives observers the action list between two ticks.
func (e *Engine) Actions() *actions.List { return e.actions }

// View is the newest view. It and its World are valid until the next Step; a later reader needs a copy.
func (e *Engine) View() *condition.View { return e.view }

// Catalog is what the engine runs.
func (e *Engine) Catalog() *catalog.Catalog { return e.catalog }

// Halted reports whether the emergency stop is on.
func (e *Engine) Halted() bool { return e.halted }
