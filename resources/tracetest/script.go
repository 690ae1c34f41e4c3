package tracetest

import (
	"maps"
	"slices"
	"strings"
)

// The hooks of a behavior, by the names that package stack gives them.
const (
	Init         = "Init"
	EnteredScope = "OnEnteredActivatableScope"
	Wants        = "WantsToBeActivated"
	Activated    = "OnActivated"
	Update       = "Update"
	Deactivated  = "OnDeactivated"
	LeftScope    = "OnLeftActivatableScope"
	AlwaysHandle = "AlwaysHandle"
	WhileActive  = "HandleWhileActivated"
	WhileInScope = "HandleWhileInScope"
	Callback     = "callback"
)

// Hooks lists the hooks of a behavior.
func Hooks() []string {
	return []string{Init, EnteredScope, Wants, Activated, Update, Deactivated, LeftScope}
}

// Parts lists the parts of an Update that have scripts of their own: the handlers of events, and the callback of a delegation.
func Parts() []string { return []string{AlwaysHandle, WhileActive, WhileInScope, Callback} }

// A Verb names what a step does.
type Verb string

// The verbs that scripts have everywhere. Yes and No count in a question only; one without either is answered with yes.
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

// A Step is one thing that a scripted hook does: a request, its answer, or its failure.
type Step struct {
	Verb Verb
	To   string // what the verb is about; empty for most
	Then bool   // with a callback
}

func (s Step) String() string {
	if s.To == "" {
		return string(s.Verb)
	}
	return string(s.Verb) + " " + s.To
}

// A Moment is one hook of one behavior.
type Moment struct{ ID, Hook string }

func (m Moment) String() string { return m.ID + "." + m.Hook }

// Scripts say what hooks do in one tick. The first call of a hook takes the first list of steps, the second call the second, and
// calls beyond the lists do nothing. The last list of a question serves all further ones.
type Scripts map[Moment][][]Step

// Add appends the steps of the next call of a hook.
func (s Scripts) Add(id, hook string, steps ...Step) {
	m := Moment{id, hook}
	s[m] = append(s[m], steps)
}

// Take removes and returns the steps of the present call.
func (s Scripts) Take(m Moment) []Step {
	lists := s[m]
	if len(lists) == 0 {
		return nil
	}
	if m.Hook != Wants || len(lists) > 1 {
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

// A Form says what follows a verb.
type Form int

// The forms. Others may be added up.
const (
	Alone  Form = 0
	Target Form = 1 << iota // a name or text is needed
	May                     // a name or text may follow
	Then                    // "then" may stand at the end
)

// A Vocabulary is what scripts of one environment are made of.
type Vocabulary struct {
	Hooks []string
	Verbs map[Verb]Form
}

// Common returns the words that scripts have everywhere, and more.
func Common(more map[Verb]Form) Vocabulary {
	verbs := map[Verb]Form{
		Ask: Target, Delegate: Target, CancelDelegates: Alone, CancelSelf: Alone, Facts: Alone, Yes: Alone, No: Alone, Fail: Alone,
	}
	maps.Copy(verbs, more)
	return Vocabulary{Hooks: Hooks(), Verbs: verbs}
}

// IsScript reports whether a line has the form of a script.
func IsScript(text string) bool {
	head, _, ok := strings.Cut(text, ":")
	return ok && strings.Contains(head, ".") && !strings.ContainsAny(head, " |")
}

// Parse reads one line such as
//
//	A.Update: ask B; delegate B
//
// into scripts.
func (v Vocabulary) Parse(line Line, into Scripts) error {
	head, body, ok := strings.Cut(line.Text, ":")
	id, hook, dotted := strings.Cut(strings.TrimSpace(head), ".")
	if !ok || !dotted || id == "" {
		return line.Errorf("script %q: want ID.Hook: step; step", line.Text)
	}
	if !slices.Contains(v.Hooks, hook) {
		return line.Errorf("script %q: unknown hook %q; want one of %s", line.Text, hook, strings.Join(v.Hooks, ", "))
	}
	var steps []Step
	for text := range strings.SplitSeq(body, ";") {
		s, err := v.step(line, strings.TrimSpace(text))
		if err != nil {
			return err
		}
		steps = append(steps, s)
	}
	into.Add(id, hook, steps...)
	return nil
}

func (v Vocabulary) step(line Line, text string) (Step, error) {
	verb, rest, _ := strings.Cut(text, " ")
	s := Step{Verb: Verb(verb), To: strings.TrimSpace(rest)}
	form, known := v.Verbs[s.Verb]
	if !known {
		return s, line.Errorf("script %q: unknown step %q; want one of %s", line.Text, text, v.words())
	}
	if form&Then != 0 {
		if to, ok := strings.CutSuffix(" "+s.To, " then"); ok {
			s.To, s.Then = strings.TrimSpace(to), true
		}
	}
	switch {
	case s.To == "" && form&Target != 0:
		return s, line.Errorf("script %q: %q of what? want a name", line.Text, text)
	case s.To != "" && form&(Target|May) == 0:
		return s, line.Errorf("script %q: %q takes no %q", line.Text, verb, s.To)
	}
	return s, nil
}

// words lists the verbs.
func (v Vocabulary) words() string {
	var all []string
	for verb := range v.Verbs {
		all = append(all, string(verb))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
