// Package compound builds actions from other actions: in sequence, in parallel, or repeated until one succeeds. The list
// sees a compound as one action with one tag, one actor and one completion. Its children are stepped inside its own
// step, lock their own tracks and are reported to watchers only.
package compound

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/actions"
)

// maxChildren bounds the children of one compound. The longest sequence a behavior needs is about a dozen.
const maxChildren = 32

// Reasons for which a child is refused.
var (
	ErrNil  = errors.New("compound: add: no action")
	ErrFull = errors.New("compound: add: too many children")
)

// A Child is one action of a compound, and how the compound treats its failure.
type Child struct {
	Action actions.Action
	// Ignore lets the compound continue when the child fails.
	Ignore bool
	// IgnoreIf does the same for the results that it selects. Ignore takes precedence.
	IgnoreIf func(actions.Result, actions.Action) bool
	// Retries are the child's own; they are used up before the compound sees a failure (SEQ-4).
	Retries int
	// Proxy makes the compound report this child's type and payload as its own (CPD-5). The last one wins.
	Proxy bool
}

// Params configure a compound.
type Params struct {
	// Name defaults to the names of the children (CPD-1).
	Name     string
	Children []Child
	// Delay lies between two children of a sequence (SEQ-3).
	Delay time.Duration
	// EndWithFirst ends a parallel compound with its first child (PAR-4).
	EndWithFirst bool
	// EachTick runs before the children in every tick; what is not SUCCESS or RUNNING ends the compound with
	// UPDATE_DERIVED_FAILED (CPD-7).
	EachTick func(*actions.Env) actions.Result
}

// A Ref refers to one child and stays valid after the child has ended (CPD-2).
type Ref struct {
	g *group
	n int
}

// Alive reports whether the child has not ended yet.
func (r Ref) Alive() bool {
	return r.g != nil && slices.ContainsFunc(r.g.children, func(p *child) bool { return p.n == r.n })
}

// child is a Child that has not ended.
type child struct {
	Child
	n      int
	runner *actions.Runner
}

// group is the common implementation of sequential and parallel compounds.
type group struct {
	params   Params
	name     string
	children []*child // not ended, in order
	added    int
	suppress bool
	proxy    *actions.Runner
	kind     actions.Type
	payload  any
	ended    bool // the proxy has ended: kind and payload are final
}

// init fills a group; children without an action are left out.
func (g *group) init(p Params, kind string) {
	g.params, g.kind, g.name = p, actions.TypeCompound, p.Name
	names := make([]string, 0, len(p.Children))
	for _, one := range p.Children {
		if _, err := g.Add(one); err == nil {
			names = append(names, one.Action.Name())
		}
	}
	if g.name == "" {
		g.name = kind + "(" + strings.Join(names, ", ") + ")"
	}
}

// Add appends a child, at any time before the compound ends (CPD-2).
func (g *group) Add(p Child) (Ref, error) {
	switch {
	case p.Action == nil:
		return Ref{}, ErrNil
	case len(g.children) >= maxChildren:
		return Ref{}, ErrFull
	}
	r := actions.NewChild(p.Action, actions.ChildOptions{Retries: p.Retries, SuppressTracks: g.suppress})
	if p.Proxy {
		g.proxy, g.ended = r, false
	}
	g.added++
	g.children = append(g.children, &child{Child: p, n: g.added, runner: r})
	return Ref{g: g, n: g.added}, nil
}

// Name is the given name, or the names of the children at construction.
func (g *group) Name() string { return g.name }

// Type is COMPOUND, or the proxy's type, also before it starts and after it ends (CPD-5).
func (g *group) Type() actions.Type {
	if g.proxy != nil && !g.ended {
		return g.proxy.Type()
	}
	return g.kind
}

// Payload is the proxy's.
func (g *group) Payload() any {
	if g.proxy != nil && !g.ended {
		return g.proxy.Report().Payload
	}
	return g.payload
}

// Tracks is empty: each child locks its own when it starts (CPD-1).
func (g *group) Tracks() actions.Tracks { return 0 }

// Needs is what the children lock.
func (g *group) Needs() (t actions.Tracks) {
	for _, p := range g.children {
		t |= actions.Needs(p.Action)
	}
	return t
}

// Timeout is none; children have theirs (CPD-1).
func (g *group) Timeout() time.Duration { return actions.NoTimeout }

// SuppressTracks is passed on to every child before it starts (CPD-3).
func (g *group) SuppressTracks(on bool) {
	g.suppress = on
	for _, p := range g.children {
		p.runner.SuppressTracks(on)
	}
}

// Init gives the children their tags.
func (g *group) Init(env *actions.Env) actions.Result {
	for _, p := range g.children {
		p.runner.TakeTag(env)
	}
	return actions.Success
}

// Reset starts again at the first child that has not ended (CPD-6, SEQ-4, PAR-3).
func (g *group) Reset() {
	for _, p := range g.children {
		p.runner.RestartLocked()
	}
}

// Stop ends the remaining children, in order.
func (g *group) Stop(env *actions.Env) {
	for len(g.children) > 0 {
		g.end(env, g.children[0])
	}
}

// Status names the child that runs.
func (g *group) Status() string {
	if len(g.children) == 0 {
		return ""
	}
	return g.children[0].runner.Status()
}

// tick runs EachTick (CPD-7) and reports whether the compound may continue.
func (g *group) tick(env *actions.Env) bool {
	if g.params.EachTick == nil {
		return true
	}
	return g.params.EachTick(env).Category() <= actions.CategoryRunning
}

// end removes a child and destroys it (CPD-4).
func (g *group) end(env *actions.Env, p *child) {
	i := slices.Index(g.children, p)
	g.children = slices.Delete(g.children, i, i+1)
	c := p.runner.Finish(env)
	if p.runner == g.proxy {
		g.kind, g.payload, g.ended = c.Type, c.Payload, true
	}
}

// step updates a child and removes it if it ended; over reports success or an ignored failure. A child that failed with a
// RETRY code stays: Reset follows if the compound's own runner has retries left, otherwise Stop.
func (g *group) step(env *actions.Env, p *child) (res actions.Result, over bool) {
	res = p.runner.Step(env)
	switch {
	case res == actions.Running:
		return res, false
	case res == actions.Success, p.ignores(res):
		g.end(env, p)
		return actions.Success, true
	case res.Category() == actions.CategoryRetry:
		return res, false
	}
	g.end(env, p)
	return res, false
}

func (p *child) ignores(res actions.Result) bool {
	return p.Ignore || p.IgnoreIf != nil && p.IgnoreIf(res, p.Action)
}
