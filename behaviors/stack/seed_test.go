package stack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/stack/stacktest"
)

// The tests of this file take the statements of two of the seed documents one group at a time, in their order:
// "lifecycle" is behavior-lifecycle-overview, "system" is behavior-system.

// A scripted is a stack under scripts with short words for tests.
type scripted struct {
	*stacktest.Direct
	t *testing.T
}

func newScripted(t *testing.T, tree string) scripted {
	t.Helper()
	d := scripted{stacktest.NewDirect(), t}
	parsed := stacktest.TreeOf(tree)
	if _, err := d.Build(parsed); err != nil {
		t.Fatal(err)
	}
	return d
}

// hooks runs a tick and returns its hooks and refusals without their nesting.
func (d scripted) hooks(scripts ...string) []string {
	d.t.Helper()
	s := stacktest.Scripts{}
	for _, line := range scripts {
		if err := stacktest.ParseScript(line, s); err != nil {
			d.t.Fatal(err)
		}
	}
	lines := d.Tick(s)
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if v := d.Violations(); len(v) > 0 {
		d.t.Fatal(v)
	}
	return lines
}

func (d scripted) want(got []string, want ...string) {
	d.t.Helper()
	if !slices.Equal(got, want) {
		d.t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), strings.Join(want, ", "))
	}
}

func (d scripted) state(want string) {
	d.t.Helper()
	if got := d.State(); got != want {
		d.t.Errorf("got %q, want %q", got, want)
	}
}

func count(lines []string, line string) (n int) {
	for _, l := range lines {
		if l == line {
			n++
		}
	}
	return n
}

// updates counts the Updates of a behavior, activated or in scope.
func updates(lines []string, id string) int {
	return count(lines, id+".Update") + count(lines, id+".Update in scope")
}

// lifecycle, Init: every behavior is initialized once, before its other hooks.
// Rules: L-1, L-2.
func TestSeedInitComesFirstAndOnce(t *testing.T) {
	d := stacktest.NewDirect()
	tree := stacktest.TreeOf("R -> B A")
	lines, err := d.Build(tree)
	if err != nil || !slices.Equal(lines, []string{"A.Init", "B.Init", "R.Init"}) {
		t.Errorf("%v, %v", lines, err)
	}
	for range 3 {
		for _, l := range d.Tick(stacktest.Scripts{}) {
			if strings.HasSuffix(l, ".Init") {
				t.Errorf("again: %s", l)
			}
		}
	}
}

// lifecycle, OnEnteredActivatableScope: when it becomes a possible delegate of an active behavior, once even if several
// layers of the stack may delegate to it.
func TestSeedEntersScopeOnceForManyLayers(t *testing.T) {
	d := newScripted(t, "R -> A X; A -> B X; B -> X")
	lines := d.hooks("R.Update: ask A; delegate A", "A.OnActivated: ask B; delegate B")
	if n := count(lines, "X.OnEnteredActivatableScope"); n != 1 || d.Stack.Find("X").Count() != 3 {
		t.Errorf("X entered %d times for %d layers", n, d.Stack.Find("X").Count())
	}
}

// lifecycle, OnActivated: when it is given control; then it can delegate.
func TestSeedActivatedMayDelegate(t *testing.T) {
	d := newScripted(t, "R -> A; A -> B")
	d.want(d.hooks("R.Update: ask A; delegate A", "A.OnActivated: facts; ask B; delegate B")[4:],
		"R.Update", "A.WantsToBeActivated yes", "B.OnEnteredActivatableScope", "A.OnActivated", "facts: activated in-control",
		"B.WantsToBeActivated yes", "B.OnActivated", "A.Update", "B.Update")
}

// lifecycle, OnDeactivated: after its own cancel or one from below, and not when it delegates.
func TestSeedDeactivatedByCancelOnly(t *testing.T) {
	for name, cancel := range map[string]string{"itself": "A.Update: cancel-self", "from below": "R.Update: cancel-delegates"} {
		d := newScripted(t, "R -> A; A -> B")
		d.hooks("R.Update: ask A; delegate A")
		if count(d.hooks("A.Update: ask B; delegate B; facts"), "A.OnDeactivated") != 0 || !d.Stack.Find("A").Activated() {
			t.Error("delegating deactivated A")
		}
		if count(d.hooks(cancel), "A.OnDeactivated") != 1 {
			t.Errorf("cancelled %s: not deactivated once", name)
		}
	}
}

// lifecycle, OnLeftActivatableScope: when no active behavior may delegate to it any more.
func TestSeedLeavesScopeWithTheLastLayer(t *testing.T) {
	d := newScripted(t, "R -> A; A -> B X; B -> X")
	d.hooks("R.Update: ask A; delegate A", "A.OnActivated: ask B; delegate B")
	if count(d.hooks("B.Update: cancel-self"), "X.OnLeftActivatableScope") != 0 {
		t.Error("X left although A may delegate to it")
	}
	if count(d.hooks("A.Update: cancel-self"), "X.OnLeftActivatableScope") != 1 {
		t.Error("X did not leave with the last layer")
	}
}

// lifecycle, WantsToBeActivated: may be asked while in scope; must be asked before delegation; a yes is no promise.
func TestSeedDelegationWithoutQuestionIsRefused(t *testing.T) {
	d := newScripted(t, "R -> A; A -> B")
	lines := d.hooks("R.Update: ask B; delegate A; ask A; ask A")
	d.want(lines[4:], "R.Update", "! ask B: not_in_scope", "! delegate A: not_asked", "A.WantsToBeActivated yes", "A.WantsToBeActivated yes",
		"A.Update in scope")
	d.state("stack: R; scope: A")
}

// lifecycle and system, Update: one and only one in each tick, whether in scope or active, and none for the rest.
func TestSeedEachBehaviorHasOneUpdate(t *testing.T) {
	d := newScripted(t, "R -> A B; A -> C; B -> D")
	for _, script := range []string{"R.Update: ask A; delegate A", "R.Update: facts", "A.Update: cancel-self"} {
		lines := d.hooks(script)
		for _, id := range []string{"R", "A", "B"} {
			if n := updates(lines, id); n != 1 {
				t.Errorf("%s: %s has %d Updates", script, id, n)
			}
		}
		if updates(lines, "D") != 0 {
			t.Error("D is out of scope and had an Update")
		}
	}
}

// lifecycle, GetAllDelegates: the full set; nothing else can be delegated to.
func TestSeedUnlistedDelegateIsRefused(t *testing.T) {
	d := newScripted(t, "R -> A; A -> B; R ~> B")
	d.want(d.hooks("R.Update: ask B; delegate B")[5:], "R.Update", "B.WantsToBeActivated yes", "! delegate B: not_a_delegate",
		"A.Update in scope", "B.Update in scope")
}

// lifecycle, runner requests: Delegate activates; CancelDelegates deactivates all that the caller set; CancelSelf
// deactivates the caller and all its delegates.
func TestSeedRequestsChangeStack(t *testing.T) {
	d := newScripted(t, "R -> A; A -> B; B -> C")
	d.hooks("R.Update: ask A; delegate A", "A.OnActivated: ask B; delegate B", "B.OnActivated: ask C; delegate C")
	d.state("stack: R A B C; scope:")
	d.hooks("B.Update: cancel-delegates")
	d.state("stack: R A B; scope: C")
	d.hooks("A.Update: cancel-self")
	d.state("stack: R; scope: A")
}

// lifecycle and system, runner facts: only the last of the stack is in control and may delegate; all others have control
// delegated, whether to the next or to one further up.
func TestSeedOnlyTheLastIsInControl(t *testing.T) {
	d := newScripted(t, "R -> A B; A -> B")
	d.hooks("R.Update: ask A; delegate A", "A.OnActivated: ask B; delegate B")
	d.want(d.hooks("R.Update: facts; delegate B", "A.Update: facts; delegate B", "B.Update: facts"),
		"R.Update", "facts: activated delegated to A", "! delegate B: not_in_control",
		"A.Update", "facts: activated delegated to B", "! delegate B: not_in_control",
		"B.Update", "facts: activated in-control")
}

// system: the possible delegates of every active behavior are in scope, not those of the inactive.
func TestSeedDelegatesOfActiveBehaviorsAreInScope(t *testing.T) {
	d := newScripted(t, "R -> A B; A -> C; B -> D; C -> E")
	d.hooks("R.Update: ask A; delegate A")
	d.state("stack: R A; scope: B C")
}

// system: a behavior that has delegated control can cancel itself or what it delegated to.
func TestSeedDelegatorMayCancel(t *testing.T) {
	for cancel, want := range map[string]string{"cancel-delegates": "stack: R A; scope: B", "cancel-self": "stack: R; scope: A"} {
		d := newScripted(t, "R -> A; A -> B")
		d.hooks("R.Update: ask A; delegate A", "A.OnActivated: ask B; delegate B")
		d.hooks("A.Update: facts; " + cancel)
		d.state(want)
	}
}

// system: an empty stack is a fault, and the base is active again in the next tick.
func TestSeedEmptyStackRecoversInNextTick(t *testing.T) {
	d := newScripted(t, "R -> A")
	d.hooks()
	if count(d.hooks("R.Update: cancel-self"), "* R.empty") != 1 {
		t.Error("the empty stack went unnoticed")
	}
	d.hooks()
	d.state("stack: R; scope: A")
}

// system: a behavior becomes active only if its answer is yes.
func TestSeedDeclinedIsNotActivated(t *testing.T) {
	d := newScripted(t, "R -> A")
	d.want(d.hooks("R.Update: ask A; delegate A", "A.WantsToBeActivated: no")[4:], "R.Update", "A.WantsToBeActivated no", "! ask A: no",
		"! delegate A: declined", "A.Update in scope")
	d.state("stack: R; scope: A")
}

// system: following the possible delegates from the base gives the tree of all behaviors that can run; each of its paths
// can be delegated down.
func TestSeedEveryPathCanBeDelegated(t *testing.T) {
	tree := "R -> A B; A -> C D; B -> D; D -> E"
	for _, path := range []string{"R A C", "R A D E", "R B D E"} {
		d := newScripted(t, tree)
		ids := strings.Fields(path)
		scripts := []string{"R.Update: ask " + ids[1] + "; delegate " + ids[1]}
		for i := 1; i+1 < len(ids); i++ {
			scripts = append(scripts, ids[i]+".OnActivated: ask "+ids[i+1]+"; delegate "+ids[i+1])
		}
		d.hooks(scripts...)
		if got := d.State(); !strings.HasPrefix(got, "stack: "+path+";") && !strings.HasPrefix(strings.ReplaceAll(got, "×2", ""), "stack: "+path+";") {
			t.Errorf("%s: %s", path, got)
		}
	}
}
