package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// storyTree is the tree of a story.
type storyTree struct {
	docs           []*resources.Document
	base, fallback string
	hears          map[string][]string
	failures       int
	scripts        []string
}

func parseStory(lines []string) (storyTree, error) {
	t := storyTree{hears: map[string][]string{}}
	for _, line := range lines {
		words := strings.Fields(line)
		switch {
		case words[0] == "hears" && len(words) > 2:
			t.hears[words[1]] = words[2:]
		case words[0] == "failures":
			if _, err := fmt.Sscan(words[1], &t.failures); err != nil {
				return t, fmt.Errorf("%q: %w", line, err)
			}
		case strings.Contains(words[0], "."):
			t.scripts = append(t.scripts, line)
		default:
			if err := t.behavior(line); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

// behavior reads "A+ > B C | JSON".
func (t *storyTree) behavior(line string) error {
	head, extra, _ := strings.Cut(line, "|")
	words := strings.Fields(head)
	id := strings.TrimRight(words[0], "+~!")
	marks := words[0][len(id):]
	class := "Teller"
	if strings.Contains(marks, "~") {
		class = "Quiet"
	}
	src := fmt.Sprintf(`{"behaviorClass":%q,"behaviorID":%q,"stays":%t`, class, id, strings.Contains(marks, "+"))
	switch {
	case len(words) > 2 && words[1] == ">":
		src += `,"next":["` + strings.Join(words[2:], `","`) + `"]`
	case len(words) > 1:
		return fmt.Errorf("tree line %q is none of the known forms", line)
	}
	if extra != "" {
		src += "," + extra
	}
	doc, diags := resources.Parse(id+".json", []byte(src+"}"))
	if len(diags) > 0 {
		return fmt.Errorf("%s: %s", src, diags)
	}
	t.docs = append(t.docs, doc)
	if t.base == "" {
		t.base, t.fallback = id, id
	}
	if strings.Contains(marks, "!") {
		t.fallback = id
	}
	return nil
}

func (t *storyTree) catalog(s *story) (*behaviors.Catalog, error) {
	class := func(name string, wrap func(quiet) behaviors.Behavior) behaviors.Class {
		return behaviors.Class{Name: name, New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo(cfg.RefsOr("next", behaviors.RefBehavior)...)
			cfg.Link(cfg.RefsOr("links", behaviors.RefBehavior)...)
			return wrap(quiet{story: s, id: cfg.ID(), stays: cfg.BoolOr("stays", false)})
		}}
	}
	reg := behaviors.NewRegistry(
		class("Teller", func(q quiet) behaviors.Behavior { return &teller{q} }),
		class("Quiet", func(q quiet) behaviors.Behavior { return &q }),
	)
	boot, diags := resources.Parse(behaviors.BootFile, fmt.Appendf(nil,
		`{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":["hello","bye"],"timers":["nap"]}`, t.base, t.fallback))
	if len(diags) > 0 {
		return nil, errors.New(diags.String())
	}
	cat, diags := behaviors.NewCatalog(t.docs, boot, reg)
	if diags.HasErrors() {
		return nil, errors.New(diags.String())
	}
	return cat, nil
}

// quiet is a behavior of a story without an Update: it notes its hooks and does what the scripts say.
type quiet struct {
	story *story
	id    string
	stays bool
}

// teller has an Update.
type teller struct{ quiet }

// hook notes a hook and runs its script.
func (q *quiet) hook(letter, hook string, c *behaviors.Control) (answer bool) {
	if letter != "" {
		q.story.note("%s %s", letter, q.id)
	}
	answer = true
	for _, step := range q.story.take(q.id, hook) {
		switch step {
		case "yes", "no":
			answer = step == "yes"
		case "fail":
			panic("scripted")
		default:
			q.step(c, strings.Fields(step))
		}
	}
	return answer
}

func (q *quiet) Init(c *behaviors.Control)           { q.hook("I", "init", c) }
func (q *quiet) OnEnteredScope(c *behaviors.Control) { q.hook("E", "enter", c) }
func (q *quiet) OnLeftScope(c *behaviors.Control)    { q.hook("L", "leave", c) }
func (q *quiet) OnActivated(c *behaviors.Control)    { q.hook("A", "start", c) }
func (q *quiet) OnDeactivated(c *behaviors.Control)  { q.hook("D", "end", c) }

// WantsToBeActivated is noted only if there is something to say: most stories are not about questions.
func (q *quiet) WantsToBeActivated(c *behaviors.Control) bool {
	if len(q.story.scripts[q.id+".wants"]) == 0 {
		return true
	}
	return q.hook("W", "wants", c)
}

func (q *quiet) Subscriptions() []string { return q.story.tree.hears[q.id] }

func (q *quiet) AlwaysHandle(c *behaviors.Control, e behaviors.Event) {
	q.story.note("always %s %s", q.id, strings.TrimSpace(e.Tag+" "+e.Text))
	q.hook("", "always", c)
}

func (q *quiet) HandleWhileActivated(c *behaviors.Control, e behaviors.Event) {
	q.story.note("on %s %s", q.id, strings.TrimSpace(e.Tag+" "+e.Text))
	q.hook("", "on", c)
}

func (q *quiet) HandleWhileInScope(c *behaviors.Control, e behaviors.Event) {
	q.story.note("in %s %s", q.id, strings.TrimSpace(e.Tag+" "+e.Text))
	q.hook("", "in", c)
}

func (q *quiet) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = !q.stays
}

func (b *teller) Update(c *behaviors.Control) {
	letter := "u"
	if c.Activated() {
		letter = "U"
	}
	b.hook(letter, "update", c)
}

// back is the callback of a step that ends in "then".
func (q *quiet) back(c *behaviors.Control, o behaviors.Outcome) {
	how := "unknown"
	switch o.Ended {
	case behaviors.EndedBehavior:
		how = "behavior"
	case behaviors.EndedAction:
		how = o.Completion.Name + " " + o.Completion.Result.String()
	case behaviors.EndedCancelled:
		how = "cancelled"
	}
	q.story.note("back %s %s", q.id, how)
	q.hook("", "back", c)
}

// step does one thing. What a Control answers with nothing more than no is noted as "verb no"; refusals show by themselves.
func (q *quiet) step(c *behaviors.Control, words []string) {
	var then behaviors.Callback
	if k := len(words) - 1; words[k] == "then" {
		then, words = q.back, words[:k]
	}
	to := strings.Join(words[1:], " ")
	ok := true
	switch words[0] {
	case "ask":
		ok = c.Wants(to)
	case "pass":
		ok = c.Wants(to)
		c.DelegateTo(to, then)
	case "delegate":
		c.DelegateTo(to, then)
	case "now":
		ok = c.Wants(to)
		c.CancelAndDelegateTo(to, then)
	case "ask-and-delegate":
		ok = c.CancelAndDelegateIfWanted(to, then)
	case "act":
		c.Act(&job{q.story, to}, then)
	case "act-now":
		c.CancelAndAct(&job{q.story, to}, then)
	case "cancel-delegates":
		ok = c.CancelDelegates()
	case "cancel-with-callback":
		ok = c.CancelDelegatesWithCallback()
	case "cancel-self":
		c.CancelSelf()
	case "lock":
		ok = c.Tracks().Lock(to, actions.Head)
	case "suppress":
		c.Suppression().ThisTick(to)
	case "claim":
		_, ok = c.Intents().Claim(to)
	case "facts":
		q.story.note("%s: activated %t, delegated %t, in control %t, to %q", q.id, c.Activated(), c.IsControlDelegated(), c.InControl(), c.Delegate())
	case "held":
		q.story.note("%s", q.story.held())
	case "state":
		c.SetState(to)
	default:
		panic(fmt.Sprintf("enginetest: unknown step %q", words))
	}
	if !ok {
		q.story.note("%s no", strings.Join(words, " "))
	}
}

// job is an action that runs until the story says how it ends.
type job struct {
	story *story
	label string
}

func (j *job) Name() string                     { return j.label }
func (j *job) Type() actions.Type               { return actions.TypeWait }
func (j *job) Tracks() actions.Tracks           { return 0 }
func (j *job) Init(*actions.Env) actions.Result { return actions.Success }
func (j *job) Stop(*actions.Env)                { j.story.note("stop %s", j.label) }

func (j *job) CheckIfDone(*actions.Env) actions.Result {
	if r, ok := j.story.ends[j.label]; ok {
		return r
	}
	return actions.Running
}

// verbs are the steps of a script, for the check of its spelling.
var verbs = []string{
	"yes", "no", "fail", "ask", "pass", "delegate", "now", "ask-and-delegate", "act", "act-now", "cancel-delegates",
	"cancel-with-callback", "cancel-self", "lock", "suppress", "claim", "facts", "held", "state",
}

// knownStep reports whether the first word of a step is a verb.
func knownStep(step string) bool {
	verb, _, _ := strings.Cut(step, " ")
	return slices.Contains(verbs, verb)
}
