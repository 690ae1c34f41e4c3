package stacktest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/stack"
)

// A Step is one thing that a scripted hook does: a request to the stack, its answer, or its failure.
type Step struct {
	Verb Verb
	To   string // target of Ask and Delegate
}

// Verb names what a step does; it is the word used in trace files.
type Verb string

// The verbs. Yes and No count in a Wants hook only; a Wants without either says yes.
const (
	Ask             Verb = "ask"
	Delegate        Verb = "delegate"
	CancelDelegates Verb = "cancel-delegates"
	CancelSelf      Verb = "cancel-self"
	Facts           Verb = "facts" // records what the behavior is told about its own place
	Yes             Verb = "yes"
	No              Verb = "no"
	Fail            Verb = "fail" // loses the incarnation
)

func (s Step) String() string {
	if s.To == "" {
		return string(s.Verb)
	}
	return string(s.Verb) + " " + s.To
}

// Moment is one hook of one behavior.
type Moment struct {
	ID   string
	Hook stack.Hook
}

func (m Moment) String() string { return m.ID + "." + HookName(m.Hook) }

// Scripts say what hooks do in one tick. The first call of a hook takes the first list of steps, the second call the
// second, and calls beyond the lists do nothing. The last list of a Wants hook serves all further questions.
type Scripts map[Moment][][]Step

// Add appends the steps of the next call of a hook.
func (s Scripts) Add(id string, h stack.Hook, steps ...Step) {
	m := Moment{id, h}
	s[m] = append(s[m], steps)
}

// take removes and returns the steps of the present call.
func (s Scripts) take(id string, h stack.Hook) []Step {
	m := Moment{id, h}
	lists := s[m]
	if len(lists) == 0 {
		return nil
	}
	if h != stack.HookWants || len(lists) > 1 {
		s[m] = lists[1:]
	}
	return lists[0]
}

// Clone returns an independent copy, so that two runs can consume the same scripts.
func (s Scripts) Clone() Scripts {
	c := make(Scripts, len(s))
	for m, lists := range s {
		c[m] = slices.Clone(lists)
	}
	return c
}

var hookNames = [...]string{"Init", "OnEnteredScope", "Wants", "OnActivated", "Update", "OnDeactivated", "OnLeftScope"}

// HookName is the word for a hook in trace files.
func HookName(h stack.Hook) string { return hookNames[h] }

// ParseScript reads one line such as
//
//	A.Update: ask B; delegate B
//
// into scripts.
func ParseScript(line string, into Scripts) error {
	head, body, ok := strings.Cut(line, ":")
	id, hook, dotted := strings.Cut(strings.TrimSpace(head), ".")
	if !ok || !dotted {
		return fmt.Errorf("script %q: want ID.Hook: step; step", line)
	}
	h := slices.Index(hookNames[:], hook)
	if h < 0 {
		return fmt.Errorf("script %q: unknown hook %q", line, hook)
	}
	var steps []Step
	for part := range strings.SplitSeq(body, ";") {
		step, err := parseStep(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("script %q: %w", line, err)
		}
		steps = append(steps, step)
	}
	into.Add(id, stack.Hook(h), steps...)
	return nil
}

func parseStep(text string) (Step, error) {
	verb, to, _ := strings.Cut(text, " ")
	s := Step{Verb(verb), strings.TrimSpace(to)}
	needsTarget := false
	switch s.Verb {
	case Ask, Delegate:
		needsTarget = true
	case CancelDelegates, CancelSelf, Facts, Yes, No, Fail:
	default:
		return s, fmt.Errorf("unknown step %q", text)
	}
	if needsTarget != (s.To != "") {
		return s, fmt.Errorf("step %q: target missing or not expected", text)
	}
	return s, nil
}

// ErrScripted is what a Fail step fails with.
var ErrScripted = errors.New("scripted")

// ErrLost is what a Control returns when the incarnation that made the request was lost in a hook nested in it. The rest
// of the script is not run: nothing may still use a lost incarnation.
var ErrLost = errors.New("incarnation lost in a nested hook")
