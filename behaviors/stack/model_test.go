package stack_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// A model is a naive implementation of the rules: layers are lists of names, scope is counted anew each time, and one rule is one line.
// It shares nothing with package stack but the names of reasons.
type model struct {
	tree                       stacktest.Tree
	layers                     []mlayer // the root first, while it holds scope
	tick                       int
	asked                      map[string]bool // this tick, with the answer
	asking, updated, hit, lost map[string]bool // lost: no hook any more; hit: lost, and the stack knows it
	fresh                      map[string]bool
	log                        stacktest.Log
	scripts                    stacktest.Scripts
}

type mlayer struct {
	id      string
	lists   []string // delegates, for the right to delegate
	members []string // what it holds in scope, one entry for each count
	on      bool
}

func newModel(tree stacktest.Tree) *model {
	return &model{tree: tree, lost: map[string]bool{}, hit: map[string]bool{}, asking: map[string]bool{}, fresh: map[string]bool{}}
}

func (m *model) run(id string, h stack.Hook) (yes, failed bool) {
	if m.lost[id] {
		return false, false
	}
	yes, err := m.log.Run(id, h, m.scripts, mcontrol{m, id})
	failed = errors.Is(err, stacktest.ErrScripted)
	m.lost[id] = m.lost[id] || failed
	return yes && err == nil, failed
}

func (m *model) hook(id string, h stack.Hook) bool {
	yes, failed := m.run(id, h)
	if failed {
		m.hit[id] = true
		if i := m.index(id); i > 0 {
			m.popTo(i)
		}
	}
	return yes
}

func (m *model) index(id string) int {
	return slices.IndexFunc(m.layers, func(l mlayer) bool { return l.on && l.id == id })
}

func (m *model) count(id string) (n int) {
	for _, l := range m.layers {
		for _, k := range l.members {
			if k == id {
				n++
			}
		}
	}
	return n
}

// members lists delegates, then the closure of their links, both by ID (L-7.1, L-20).
func (m *model) members(delegates []string) []string {
	var linked []string
	for todo := slices.Clone(delegates); len(todo) > 0; todo = todo[1:] {
		for _, l := range m.tree.Links[todo[0]] {
			if !slices.Contains(linked, l) {
				linked, todo = append(linked, l), append(todo, l)
			}
		}
	}
	slices.Sort(linked)
	return append(m.delegates(delegates), linked...)
}

func (m *model) delegates(ids []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}

func (m *model) push(id string, lists []string) { // L-7
	m.layers = append(m.layers, mlayer{id, lists, nil, id != ""})
	at := len(m.layers) - 1
	for _, k := range m.members(lists) {
		first := m.count(k) == 0
		m.layers[at].members = append(m.layers[at].members, k)
		if first {
			m.hook(k, stack.HookEnteredScope)
		}
	}
	if id != "" {
		m.hook(id, stack.HookActivated)
	}
}

func (m *model) pop() { // L-11
	l := &m.layers[len(m.layers)-1]
	for len(l.members) > 0 {
		k := l.members[0]
		if l.members = l.members[1:]; m.count(k) == 0 {
			m.hook(k, stack.HookLeftScope)
		}
	}
	if l.on = false; l.id != "" {
		m.hook(l.id, stack.HookDeactivated)
	}
	m.layers = m.layers[:len(m.layers)-1]
}

func (m *model) popTo(n int) {
	for len(m.layers) > n {
		m.pop()
	}
}

func (m *model) cycle(id string) bool { // L-36
	return slices.ContainsFunc(m.members(m.tree.Delegates[id]), func(k string) bool { return k == id || m.index(k) >= 0 })
}

// mcontrol makes requests of the model.
type mcontrol struct {
	m  *model
	by string
}

func (c mcontrol) result(why stack.Reason) error {
	switch {
	case c.m.lost[c.by]:
		return stacktest.ErrLost
	case why != 0:
		return &stack.Refusal{Reason: why}
	}
	return nil
}

func (c mcontrol) Ask(to string) (bool, error) {
	m := c.m
	switch {
	case !slices.Contains(m.tree.IDs, to):
		return false, c.result(stack.NoTarget)
	case m.count(to) == 0 || m.fresh[to]:
		return false, c.result(stack.NotInScope)
	case m.index(to) >= 0 && len(m.asking) > 0:
		return false, c.result(0)
	case m.index(to) >= 0:
		return false, c.result(stack.AlreadyActivated)
	case m.hit[to]:
		return false, c.result(stack.Broken)
	case m.asking[to]:
		return false, c.result(stack.Cycle)
	case c.by != "" && m.index(c.by) < 0 && m.layers[len(m.layers)-1].id == c.by: // L-12, M-24
		return false, c.result(stack.NotActivated)
	}
	m.asking[to] = true
	answer := m.hook(to, stack.HookWants)
	delete(m.asking, to)
	m.asked[to] = answer
	return answer, c.result(0)
}

func (c mcontrol) Delegate(to string) error {
	m := c.m
	answer, asked := m.asked[to]
	at := m.index(c.by)
	switch {
	case len(m.asking) > 0:
		return c.result(stack.Hidden)
	case !slices.Contains(m.tree.IDs, to):
		return c.result(stack.NoTarget)
	case at < 0:
		return c.result(stack.NotActivated)
	case at != len(m.layers)-1:
		return c.result(stack.NotInControl)
	case !slices.Contains(m.layers[at].lists, to):
		return c.result(stack.NotADelegate)
	case m.index(to) >= 0:
		return c.result(stack.AlreadyActivated)
	case m.hit[to]:
		return c.result(stack.Broken)
	case !asked:
		return c.result(stack.NotAsked)
	case !answer:
		return c.result(stack.Declined)
	case m.cycle(to):
		return c.result(stack.Cycle)
	}
	m.push(to, m.tree.Delegates[to])
	if m.hit[to] {
		return c.result(stack.Faulted)
	}
	return c.result(0)
}

func (c mcontrol) CancelDelegates() (bool, error) {
	m, i := c.m, c.m.index(c.by)
	if len(m.asking) > 0 {
		return false, c.result(stack.Hidden)
	}
	if i < 0 || i == len(m.layers)-1 {
		return false, c.result(0)
	}
	m.popTo(i + 1)
	return true, c.result(0)
}

func (c mcontrol) CancelSelf() error {
	m, i := c.m, c.m.index(c.by)
	if len(m.asking) > 0 {
		return c.result(stack.Hidden)
	}
	if i < 0 {
		return c.result(stack.NotOnStack)
	}
	m.popTo(i)
	return c.result(0)
}

func (c mcontrol) Facts() stacktest.Place {
	at, open := c.m.index(c.by), len(c.m.asking) == 0
	top := at == len(c.m.layers)-1
	p := stacktest.Place{Activated: at >= 0, Delegated: open && at >= 0 && !top, InControl: open && at >= 0 && top}
	if p.Delegated {
		p.To = c.m.layers[at+1].id
	}
	return p
}

func (m *model) tickOnce(s stacktest.Scripts) []string {
	m.tick++
	m.scripts, m.asked, m.updated = s, map[string]bool{}, map[string]bool{}
	if base := m.tree.Base; len(m.layers) == 0 { // L-25
		if m.hit[base] {
			m.repair() // it failed between two ticks
		}
		m.push("", []string{base})
		if m.hit[base] {
			// no base this tick
		} else if mcontrol.Ask(mcontrol{m, ""}, base); !m.hit[base] && !m.cycle(base) {
			m.push(base, m.tree.Delegates[base])
		}
	}
	for i := 1; i < len(m.layers); i++ { // T-4
		m.updated[m.layers[i].id] = true
		m.hook(m.layers[i].id, stack.HookUpdate)
	}
	m.inScopePass()
	if len(m.layers) == 1 { // L-29
		m.pop()
	}
	m.repair()
	return m.log.Take(nil)
}

func (m *model) inScopePass() { // T-9
	var batch, failed []string
	for _, id := range m.tree.IDs {
		if m.count(id) > 0 && !m.updated[id] && !m.lost[id] {
			batch = append(batch, id)
		}
	}
	for _, id := range batch {
		if _, lost := m.run(id, stack.HookUpdate); lost {
			failed = append(failed, id) // noted after the pass
		}
	}
	for _, id := range failed {
		m.hit[id] = true
	}
}

func (m *model) repair() {
	for len(m.hit) > 0 {
		for _, id := range slices.Sorted(maps.Keys(m.hit)) { // those of this round
			delete(m.lost, id)
			delete(m.hit, id)
			m.fresh[id] = true // no behavior may ask it before it enters scope
			m.hook(id, stack.HookInit)
			delete(m.fresh, id)
			if m.count(id) > 0 {
				m.hook(id, stack.HookEnteredScope)
			}
		}
	}
}

// swap puts another tree in place of the present one (L-44).
func (m *model) swap(next stacktest.Tree, fresh, gone []string, s stacktest.Scripts) []string {
	m.scripts, m.asked = s, map[string]bool{}
	out := slices.Sorted(slices.Values(slices.Concat(fresh, gone)))
	lowest := len(m.layers)
	for _, id := range out {
		if i := m.index(id); i >= 0 {
			lowest = min(lowest, i)
		}
	}
	if m.popTo(lowest); lowest == 1 || m.tree.Base != next.Base {
		m.popTo(0)
	}
	for _, id := range out {
		if m.fresh[id] = true; m.count(id) > 0 {
			m.hook(id, stack.HookLeftScope)
		}
	}
	for _, id := range out {
		delete(m.lost, id)
		delete(m.hit, id)
	}
	m.tree = next
	for _, id := range fresh {
		m.fresh[id] = true // an added one, too
		m.hook(id, stack.HookInit)
	}
	for _, id := range fresh {
		if delete(m.fresh, id); m.count(id) > 0 {
			m.hook(id, stack.HookEnteredScope)
		}
	}
	clear(m.fresh)
	return m.log.Take(nil)
}

func (m *model) state() string {
	text, scope := "stack:", "; scope:"
	for _, l := range m.layers[min(1, len(m.layers)):] {
		text += name(l.id, m.count(l.id))
	}
	for _, id := range m.tree.IDs {
		if n := m.count(id); n > 0 && m.index(id) < 0 {
			scope += name(id, n)
		}
	}
	return text + scope
}

func name(id string, count int) string {
	if count == 1 {
		return " " + id
	}
	return fmt.Sprintf(" %s×%d", id, count)
}

// TestStackAgreesWithModel lets random trees run random scripts on the stack and on the model. Every hook, its place in the nesting, every
// refusal and every scope count must agree.
func TestStackAgreesWithModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		m := newModel(tree)
		d := stacktest.NewDirect()
		if _, err := d.Build(tree); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 8).Draw(t, "ticks") {
			if rapid.IntRange(0, 3).Draw(t, "swap") == 0 {
				tree = compareSwap(t, d, m, tree)
			}
			compareTick(t, d, m, drawScripts(t, tree))
		}
	})
}

// compareSwap changes to another random tree.
func compareSwap(t *rapid.T, d *stacktest.Direct, m *model, old stacktest.Tree) stacktest.Tree {
	next := drawTree(t)
	if rapid.Bool().Draw(t, "another base") {
		next.Base = "A"
	}
	for _, id := range modelIDs { // some stay as they were, some go
		switch rapid.IntRange(0, 5).Draw(t, id+" changes") {
		case 0:
			next = without(next, id)
		case 1, 2, 3:
			next.Delegates[id], next.Links[id] = old.Delegates[id], old.Links[id]
		}
	}
	next = whole(next)
	also := rapid.SliceOfNDistinct(rapid.SampledFrom(modelIDs), 0, 1, rapid.ID).Draw(t, "changed")
	fresh, gone := next.Changed(old, also)
	s := drawScripts(t, old)
	want := m.swap(next, fresh, gone, s.Clone())
	got, err := d.Swap(next, fresh, gone, s.Clone())
	if err != nil {
		t.Fatal(err)
	}
	got = slices.DeleteFunc(got, func(l string) bool { return strings.HasPrefix(l, "* ") })
	want = slices.DeleteFunc(want, func(l string) bool { return strings.HasPrefix(l, "* ") })
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w || d.State() != m.state() {
		t.Fatalf("swap from %+v\nto %+v\nfresh %v, gone %v, scripts %v\nstack:\n%s\n%s\nmodel:\n%s\n%s", old, next, fresh, gone, s, g, d.State(), w, m.state())
	}
	return next
}

type failer interface{ Fatalf(string, ...any) }

func compareTick(t failer, d *stacktest.Direct, m *model, s stacktest.Scripts) {
	want := m.tickOnce(s.Clone())
	got := slices.DeleteFunc(d.Tick(s.Clone()), func(l string) bool { return strings.HasPrefix(l, "* ") })
	want = slices.DeleteFunc(want, func(l string) bool { return strings.HasPrefix(l, "* ") })
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Fatalf("tick %d of %+v\nscripts %v\nstack:\n%s\nmodel:\n%s", m.tick, m.tree, s, g, w)
	}
	if g, w := d.State(), m.state(); g != w {
		t.Fatalf("after tick %d of %+v\nscripts %v\nstack: %s\nmodel: %s", m.tick, m.tree, s, g, w)
	}
	if v := d.Violations(); len(v) > 0 {
		t.Fatalf("after tick %d of %+v\nscripts %v\n%s\n%s", m.tick, m.tree, s, strings.Join(got, "\n"), strings.Join(v, "\n"))
	}
}

var modelIDs = []string{"A", "B", "C", "D", "E", "R"}

func drawTree(t *rapid.T) stacktest.Tree {
	tree := stacktest.Tree{Base: "R", IDs: modelIDs, Delegates: map[string][]string{}, Links: map[string][]string{}}
	for _, id := range modelIDs {
		tree.Delegates[id] = rapid.SliceOfNDistinct(rapid.SampledFrom(modelIDs[:5]), 0, 3, rapid.ID).Draw(t, id+" ->")
		tree.Links[id] = rapid.SliceOfNDistinct(rapid.SampledFrom(modelIDs), 0, 1, rapid.ID).Draw(t, id+" ~>")
	}
	return tree
}

func drawScripts(t *rapid.T, tree stacktest.Tree) stacktest.Scripts {
	s := stacktest.Scripts{}
	for _, id := range tree.IDs {
		for h := stack.HookInit; h <= stack.HookLeftScope; h++ {
			if steps := rapid.SliceOfN(rapid.Custom(drawMove), 0, 3).Draw(t, id+"."+h.String()); len(steps) > 0 {
				s.Add(id, h.String(), slices.Concat(steps...)...)
			}
		}
	}
	return s
}

// drawMove favors the pair of ask and delegate; a hook fails rarely.
func drawMove(t *rapid.T) []stacktest.Step {
	to := rapid.SampledFrom(modelIDs).Draw(t, "to")
	ask, delegate := stacktest.Step{Verb: stacktest.Ask, To: to}, stacktest.Step{Verb: stacktest.Delegate, To: to}
	return rapid.SampledFrom([][]stacktest.Step{
		{ask, delegate},
		{ask, delegate},
		{ask, delegate},
		{ask},
		{delegate},
		{{Verb: stacktest.CancelDelegates}, ask, delegate},
		{{Verb: stacktest.CancelDelegates}},
		{{Verb: stacktest.CancelSelf}},
		{{Verb: stacktest.Facts}},
		{{Verb: stacktest.No}},
		{{Verb: stacktest.Fail}},
	}).Draw(t, "move")
}

// without takes a behavior other than the base away.
func without(t stacktest.Tree, id string) stacktest.Tree {
	if id != t.Base {
		t.IDs = slices.DeleteFunc(slices.Clone(t.IDs), func(i string) bool { return i == id })
	}
	return t
}

// whole takes away the edges to behaviors that are gone.
func whole(t stacktest.Tree) stacktest.Tree {
	delegates, links := map[string][]string{}, map[string][]string{}
	there := func(ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(t.IDs, id) })
	}
	for _, id := range t.IDs {
		delegates[id], links[id] = there(t.Delegates[id]), there(t.Links[id])
	}
	t.Delegates, t.Links = delegates, links
	return t
}
