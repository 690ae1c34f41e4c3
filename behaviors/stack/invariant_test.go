package stack

import (
	"strings"
	"testing"
)

// yes is a host that does nothing and says yes.
type yes struct{}

func (yes) Call(*Node, Hook) error         { return nil }
func (yes) Foresee(*Node, bool) Foresight  { return SaysYes }
func (yes) Ask([]*Node) (int, bool, error) { return 1, true, nil }
func (yes) Batch([]*Node) []Failure        { return nil }
func (yes) Replace(*Node) error            { return nil }

// Violations names every invariant that a broken stack violates, and none for a whole stack.
// Rules: L-16, L-17, L-19, T-10, Q-10.
func TestViolationsNameBrokenInvariants(t *testing.T) {
	cases := []struct {
		want  string
		harm  func(s *Stack)
		alone bool // nothing else is broken by it
	}{
		{"", func(*Stack) {}, true},
		{"scope-list-is-ordered-and-complete: not ordered", func(s *Stack) { s.scope[1], s.scope[2] = s.scope[2], s.scope[1] }, true},
		{"scope-list-is-ordered-and-complete: 3 have a count, 2 are listed", func(s *Stack) { s.scope = s.scope[:2] }, false},
		{"one-update-per-tick-in-scope: B ", func(s *Stack) { s.scope[2].updated-- }, true},
		{"state-follows-count: B has count 0", func(s *Stack) { s.scope[2].count = 0 }, false},
		{"state-follows-count: B has count 1 and is out-of-scope", func(s *Stack) { s.scope[2].state = OutOfScope }, true},
		{"scope-count-is-sum-of-layers: counts add up to 4", func(s *Stack) { s.scope[2].count++ }, true},
		{"activated-exactly-if-on-stack: 2 activated, 1", func(s *Stack) { s.scope[2].state = Activated }, true},
	}
	for _, c := range cases {
		t.Run(c.want, func(t *testing.T) {
			a, b, base := &Node{ID: "A"}, &Node{ID: "B"}, &Node{ID: "0"}
			base.SetDelegates([]*Node{b, a}, nil)
			s, err := New(yes{}, []*Node{b, base, a})
			if err != nil {
				t.Fatal(err)
			}
			s.Init()
			s.Configure(base)
			s.Begin(1)
			s.Walk()
			s.Scope()
			s.Repair()
			c.harm(s)
			got := s.Violations()
			if c.want == "" && len(got) == 0 {
				return
			}
			if !strings.Contains(strings.Join(got, "\n"), c.want) || c.alone && len(got) != 1 {
				t.Errorf("%q, want %q", got, c.want)
			}
			for _, inv := range Invariants() {
				if text := inv.Check(s); (text != "") != strings.Contains(strings.Join(got, "\n"), inv.Name) {
					t.Errorf("%s says %q by itself, and together %q", inv.Name, text, got)
				}
			}
		})
	}
}
