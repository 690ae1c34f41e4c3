package stacktest

import (
	"fmt"

	"github.com/robotd/robotd/behaviors/stack"
)

// A Monitor watches events and hooks of a stack and checks the lifecycle rules that show in their order: each behavior
// lives (Init (Enter (Push Activate Deactivate Pop)* Leave)*) per incarnation, what is in scope at an activation or
// deactivation is exactly what the layers list (L-7, L-11), hooks reach living incarnations only, and each behavior in
// scope has one Update per tick (T-10). It keeps its own copy of the layers and trusts no count of the stack.
type Monitor struct {
	stack  *stack.Stack
	lives  map[string]*life
	layers []shadow
	bad    []string
}

// life is what the monitor knows of one behavior.
type life struct {
	node        *stack.Node
	initialized bool
	in, on      bool
	again       bool // replaced while in scope: one more Enter is due
	dead        bool
	updated     uint64
}

// shadow is a layer as the monitor saw it pushed: how often it lists each behavior.
type shadow struct {
	id      string
	members map[string]int
}

// NewMonitor watches a stack from before its Init.
func NewMonitor(s *stack.Stack) *Monitor {
	m := &Monitor{stack: s, lives: map[string]*life{}}
	for _, n := range s.Nodes() {
		m.lives[n.ID] = &life{node: n}
	}
	return m
}

// Take returns and forgets what was found.
func (m *Monitor) Take() []string {
	bad := m.bad
	m.bad = nil
	return bad
}

func (m *Monitor) want(ok bool, rule, id, what string) {
	if !ok {
		m.bad = append(m.bad, fmt.Sprintf("%s: %s: %s", rule, id, what))
	}
}

// Events takes the next events, before the hooks that follow them.
func (m *Monitor) Events(events []stack.Event) {
	for _, e := range events {
		if e.Kind == stack.EventInit && m.lives[e.ID] == nil {
			m.lives[e.ID] = &life{node: m.stack.Find(e.ID)} // added
		}
		if l := m.lives[e.ID]; l != nil {
			m.event(l, e)
		}
	}
}

func (m *Monitor) event(l *life, e stack.Event) {
	switch e.Kind {
	case stack.EventInit:
		m.want(!l.initialized, "M-1", e.ID, "initialized twice")
		l.initialized = true
	case stack.EventEnteredScope:
		m.want(l.initialized, "M-2", e.ID, "entered scope before Init")
		m.want(!l.in || l.again, "L-17", e.ID, "entered scope twice")
		l.in, l.again = true, false
	case stack.EventLeftScope:
		m.want(l.in && !l.on, "M-9", e.ID, "left scope while not just in scope")
		l.in, l.again = false, false
	case stack.EventPush:
		m.push(l)
	case stack.EventActivated:
		m.want(m.top() == e.ID, "L-7", e.ID, "activated without being the top")
		l.on = true
		m.scope(e.ID, m.layers)
	case stack.EventDeactivated:
		m.want(m.top() == e.ID && l.on, "L-11", e.ID, "deactivated without being the activated top")
		l.on = false
		m.scope(e.ID, m.layers[:max(0, len(m.layers)-1)])
	case stack.EventPop:
		m.want(m.top() == e.ID && !l.on, "L-11", e.ID, "popped before its deactivation")
		m.layers = m.layers[:max(0, len(m.layers)-1)]
	case stack.EventFault, stack.EventDisabled:
		l.dead = true
	case stack.EventReplaced:
		l.dead, l.initialized, l.again = false, false, l.in
	case stack.EventReloaded:
		m.want(!l.in && !l.on, "L-44", e.ID, "its definition changed while it was in use")
		l.dead, l.initialized, l.again = false, false, false
	case stack.EventRemoved:
		m.want(!l.in && !l.on, "L-44", e.ID, "removed while it was in use")
		delete(m.lives, e.ID)
	}
}

func (m *Monitor) top() string {
	if len(m.layers) == 0 {
		return ""
	}
	return m.layers[len(m.layers)-1].id
}

func (m *Monitor) push(l *life) {
	id := l.node.ID
	m.want(l.in && !l.on, "M-6", id, "pushed while not in scope, or twice")
	m.want(!l.dead, "M-6", id, "pushed although its incarnation was lost")
	tick, wants := l.node.Asked()
	m.want(tick == m.stack.Tick() && wants, "L-4", id, "pushed without having agreed in this tick")
	if len(m.layers) > 0 {
		lists := false
		for _, d := range m.lives[m.top()].node.Delegates() {
			lists = lists || d == l.node
		}
		m.want(lists, "M-14", id, "pushed although the top does not list it")
	}
	m.layers = append(m.layers, shadow{id, Members(l.node.Delegates())})
}

// Members counts how often a layer with these delegates lists each behavior: once as a delegate, once as linked, however
// many links lead to it (L-16, L-20).
func Members(delegates []*stack.Node) map[string]int {
	linked := map[*stack.Node]bool{}
	todo := append([]*stack.Node(nil), delegates...)
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		for _, l := range n.Links() {
			if !linked[l] {
				linked[l] = true
				todo = append(todo, l)
			}
		}
	}
	count := map[string]int{}
	for _, d := range delegates {
		count[d.ID]++
	}
	for l := range linked {
		count[l.ID]++
	}
	return count
}

// scope compares the behaviors in scope with what these layers and the root list.
func (m *Monitor) scope(at string, layers []shadow) {
	want := m.counts(layers)
	for _, n := range m.stack.Nodes() {
		if l := m.lives[n.ID]; l.in != (want[n.ID] > 0) {
			m.want(false, "L-7, L-11", at, fmt.Sprintf("at its (de)activation %s is in scope: %v", n.ID, l.in))
		}
	}
}

// counts adds up the layers and the root below them.
func (m *Monitor) counts(layers []shadow) map[string]int {
	sum := map[string]int{}
	if len(m.layers) > 0 {
		sum = Members([]*stack.Node{m.lives[m.layers[0].id].node})
	}
	for _, l := range layers {
		for id, k := range l.members {
			sum[id] += k
		}
	}
	return sum
}

// Hook takes the beginning of a hook.
func (m *Monitor) Hook(n *stack.Node, h stack.Hook) {
	l := m.lives[n.ID]
	m.want(!l.dead, "fault", n.ID, h.String()+" of a lost incarnation")
	switch h {
	case stack.HookWants:
		m.want(l.in && !l.on, "L-3, M-32", n.ID, "asked while not just in scope")
	case stack.HookUpdate:
		m.want(l.in || l.on, "M-3", n.ID, "updated out of scope")
		m.want(l.updated != m.stack.Tick(), "T-10", n.ID, "updated twice in a tick")
		l.updated = m.stack.Tick()
	}
}

// EndOfPasses is called after both passes of a tick and before its repair. It checks that every behavior in scope had its Update and
// that every scope count is the sum of the layers (L-16, T-10).
func (m *Monitor) EndOfPasses() {
	want := m.counts(m.layers)
	for _, n := range m.stack.Nodes() {
		l := m.lives[n.ID]
		if l.in && !l.dead && (n.Updates || l.on) {
			m.want(l.updated == m.stack.Tick(), "T-10", n.ID, "missed its Update")
		}
		if len(m.layers) > 0 {
			m.want(n.Count() == want[n.ID], "L-16", n.ID, fmt.Sprintf("count is %d, layers list it %d times", n.Count(), want[n.ID]))
		}
	}
}
