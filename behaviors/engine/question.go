package engine

import (
	"errors"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// Questions: what gates and conditions of this program decide is answered here. Only a behavior with code of its own is called, and
// those of one dispatcher are called together (behaviors/stack/poll.go).

// serveAsk stamps the answer of another behavior; a question of a kind that its class does not answer is refused. An activated one is
// not asked: that is a mistake of the asker (M-32).
func (e *Engine) serveAsk(c *Cell, r *behaviors.Request) {
	d := e.cells[r.ID]
	if d != nil && d.data == nil { // otherwise it is answering a question with data now, and the stack refuses this one
		d.own().data = r.Data
		defer func() { d.data = nil }()
	}
	e.askers = append(e.askers, c)
	r.OK, r.Refusal = e.stack.Ask(c.Node, e.nodeOf(r.ID))
	e.askers = e.askers[:len(e.askers)-1]
}

// serveAskAmong asks candidates in order.
func (e *Engine) serveAskAmong(c *Cell, r *behaviors.Request) {
	depth := len(e.askers)
	for depth >= len(e.ballots) {
		e.ballots = append(e.ballots, &behaviors.Ballot{})
	}
	b := e.ballots[depth]
	b.Open(r)
	b.Nodes, b.Holder = e.candidates(r.Among), nil
	if !e.stack.Asking() {
		b.Holder = e.stack.DelegatedTo(c.Node)
	}
	e.askers = append(e.askers, c)
	e.stack.Poll(c.Node, b)
	b.Close()
	if e.answers != nil {
		e.noteSkipped(c, r.Among)
	}
	e.askers = e.askers[:depth]
}

// candidates are the nodes of a list, found once.
type candidates struct {
	of         *Engine
	generation uint64 // of the catalog
	nodes      []*stack.Node
}

func (e *Engine) candidates(cs *behaviors.Candidates) []*stack.Node {
	if k, ok := cs.Resolved.(*candidates); ok && k.of == e && k.generation == e.generation && len(k.nodes) == len(cs.IDs) {
		return k.nodes
	}
	k := &candidates{of: e, generation: e.generation, nodes: make([]*stack.Node, len(cs.IDs))}
	for i, id := range cs.IDs {
		k.nodes[i] = e.nodeOf(id)
	}
	cs.Resolved = k
	return k.nodes
}

// Foresee implements stack.Host.
func (h *host) Foresee(n *stack.Node, turn bool) stack.Foresight {
	e := (*Engine)(h)
	c := n.Data.(*Cell)
	if c.Lost() { // in the batch that runs now; the stack is told at its end
		return stack.SaysNo
	}
	f := e.foresee(c, turn)
	if c.depth > 0 {
		f = e.hooks.Foreseen(c, f)
	}
	if f.Gate == behaviors.GateEnsurer {
		e.refuse(c, &behaviors.Request{Op: stack.OpCube}, stack.NoEnsurer)
	}
	return f.Answer
}

// foresee asks the gates and conditions of c. A condition that panics is evaluated once more in the hook of its behavior, which is lost by
// that.
func (e *Engine) foresee(c *Cell, turn bool) (f Foreseen) {
	inst := c.Inc.Inst
	q := behaviors.Question{View: e.view, Suppressed: e.suppressor(c), Data: c.data != nil, Turn: turn}
	q.Ensured = inst.Modifiers().Cube == behaviors.CubeRequiredManaged && e.ensured()
	defer func() {
		if recover() != nil {
			f = Foreseen{Answer: stack.Unknown}
		}
		if turn {
			e.met = q.Met
		}
	}()
	if f.Answer = inst.Foresee(&q); turn && f.Answer == stack.SaysNo {
		f.Gate = inst.Decline().Gate
	}
	return f
}

// asked is the memory of one call of host.Ask.
type asked struct {
	cells  []*Cell
	frames []*Frame
}

// Ask implements stack.Host.
func (h *host) Ask(nodes []*stack.Node) (ran int, yes bool, err error) {
	e := (*Engine)(h)
	a := e.openAsked()
	for i, n := range nodes {
		c := n.Data.(*Cell)
		f := e.fill(c, stack.HookWants)
		f.Inv.Answer, f.Inv.Alone, f.Inv.From, f.Inv.Data = false, false, 0, c.data
		if i == 0 {
			f.Inv.From = int32(e.met)
		}
		a.cells, a.frames = append(a.cells, c), append(a.frames, f)
		if c.depth++; c.depth == 1 { // a question to it that comes before or during its turn gets a frame of its own
			c.requests = 0
		}
	}
	ran, err = e.hooks.Ask(a.cells, a.frames)
	e.asking--
	for _, c := range a.cells {
		c.depth--
	}
	c := a.cells[ran-1]
	switch yes = err == nil && a.frames[ran-1].Inv.Answer; { // a hung hook may still write into the frame
	case errors.Is(err, ErrRevoked):
		err = nil // its loss was reported where it happened
		e.release(c)
	case err != nil:
		e.lose(c, false)
	}
	return ran, yes, err
}

// openAsked returns the memory for the next call of host.Ask within another.
func (e *Engine) openAsked() *asked {
	if e.asking == len(e.asked) {
		e.asked = append(e.asked, &asked{})
	}
	a := e.asked[e.asking]
	e.asking++
	a.cells, a.frames = a.cells[:0], a.frames[:0]
	return a
}

// answering is told of each request that the hook of c makes. If it answers a question, the stack knows that it is its turn.
func (e *Engine) answering(c *Cell) bool {
	if !e.stack.Asking() {
		return false
	}
	e.stack.Asks(c.Node)
	return true
}
