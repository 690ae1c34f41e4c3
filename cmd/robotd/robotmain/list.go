package robotmain

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/reference"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// listedKinds are the kinds whose things are names and nothing else, by the word of the command line. Never written.
var listedKinds = map[string]string{
	"actions": reference.KindAction, "animations": behaviors.RefClip, "behaviors": behaviors.RefBehavior, "emotions": reference.KindEmotion,
	"events": behaviors.RefEmotionEvent, "faces": reference.KindFace, "features": behaviors.RefFeature, "groups": reference.KindGroup,
	"intents": behaviors.RefIntent, "sounds": reference.KindSound, "stats": behaviors.RefStat, "timers": behaviors.RefTimer, "triggers": behaviors.RefTrigger,
}

// described are the kinds whose things have keys.
var described = []string{"classes", "conditions", "files", "keys", "robots"}

// listKinds are the words that list takes, sorted.
func listKinds() []string {
	kinds := slices.Clone(described)
	for kind := range listedKinds {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

func (p *program) newList() *cobra.Command {
	l := lister{p: p}
	c := &cobra.Command{
		Use:   "list KIND [NAME]",
		Short: "List what behavior files may name, with keys and an example, and the robots",
		Long: `List prints the things of a kind. A class or a condition with its NAME is shown with its keys, what they take, their defaults, and an example that check
accepts. Kinds: ` + strings.Join(listKinds(), ", ") + `; keys are those that every behavior has; a robot with its NAME or file is shown with its parts. Names come from the
built-in resource folder, or from that of --resources.`,
		Example: "  robotd list classes\n  robotd list classes GreetFace\n  robotd list conditions FaceKnown --json",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("name a kind: %s", strings.Join(listKinds(), " "))
			}
			return want(1, 2)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			l.out = c.OutOrStdout()
			name := ""
			if len(args) > 1 {
				name = args[1]
			}
			return l.list(args[0], name)
		},
	}
	c.Flags().BoolVar(&l.json, "json", false, "print JSON")
	c.Flags().StringVar(&l.dir, "resources", "", "resource `directory` whose names are listed; the built-in one without")
	return c
}

// noKind names the nearest kind, by its one or its many, or else all of them.
func noKind(kind string) error {
	for _, k := range listKinds() {
		if kind == singular(k) {
			return fmt.Errorf("there is no kind %q; did you mean %q?", kind, k)
		}
	}
	return resources.UnknownOr("kind", kind, listKinds(), "valid: "+strings.Join(listKinds(), " "))
}

// lister is one run of list.
type lister struct {
	p     *program
	dir   string
	json  bool
	out   io.Writer
	ref   *reference.Reference
	names reference.Names
}

// A listed is a line of a list.
type listed struct {
	Name  string `json:"name"`
	State string `json:"state,omitempty"`
	Doc   string `json:"doc,omitempty"`
}

func (l *lister) list(kind, name string) error {
	if !slices.Contains(listKinds(), kind) {
		return usage("%v", noKind(kind))
	}
	tree, err := setup.OpenTree(l.dir)
	if err != nil {
		return usage("%v", err)
	}
	if kind == "robots" {
		tree.Words = l.p.named.Words()
		return l.robots(tree, name)
	}
	l.ref, l.names = l.p.reference(), tree.Names()
	if name != "" {
		return l.one(kind, name)
	}
	if kind == "keys" {
		return l.keys(slices.Concat(l.ref.Instance, l.ref.Common))
	}
	return l.all(l.things(kind))
}

// things lists all of a kind.
func (l *lister) things(kind string) (out []listed) {
	switch kind {
	case "classes":
		for _, c := range l.ref.Classes {
			out = append(out, listed{c.Name, c.State, c.Doc})
		}
	case "conditions":
		for _, c := range l.ref.Conditions {
			state := "real"
			if c.Unsupported {
				state = "never met"
			}
			out = append(out, listed{c.Name, state, c.Doc})
		}
	case "files":
		for _, f := range l.ref.Files {
			out = append(out, listed{f.Name, "", f.Pattern + ": " + f.Doc})
		}
	default:
		for _, name := range l.names.All(listedKinds[kind]) {
			out = append(out, listed{Name: name})
		}
	}
	return out
}

// all prints a list.
func (l *lister) all(things []listed) error {
	if l.json {
		return encodeIndented(l.out, append([]listed{}, things...))
	}
	width, state := 0, 0
	for _, t := range things {
		width, state = max(width, len(t.Name)), max(state, len(t.State))
	}
	for _, t := range things {
		line := fmt.Sprintf("%-*s  %-*s  %s", width, t.Name, state, t.State, t.Doc)
		if _, err := fmt.Fprintln(l.out, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// one prints one thing.
func (l *lister) one(kind, name string) error {
	switch kind {
	case "classes":
		if c := l.ref.Class(name); c != nil {
			text, ok := l.ref.Example(name, reference.ExampleID, l.names)
			return l.detail(c, heading(c), c.Keys, text, ok)
		}
	case "conditions":
		if c := l.ref.Condition(name); c != nil {
			text, ok := l.ref.ConditionExample(name, l.names)
			head := c.Name + "\n  " + c.Doc
			if c.Unsupported {
				head += "\n  Not supported on this robot: never met."
			}
			return l.detail(c, head, c.Keys, text, ok)
		}
	case "files":
		for i := range l.ref.Files {
			if f := &l.ref.Files[i]; f.Name == name {
				return l.detail(f, f.Pattern+"\n  "+f.Doc, f.Keys, "", false)
			}
		}
	case "keys":
		keys := slices.DeleteFunc(slices.Concat(l.ref.Instance, l.ref.Common), func(k resources.KeyInfo) bool { return k.Name != name })
		if len(keys) > 0 {
			return l.keys(keys)
		}
	default:
		if slices.Contains(l.names.All(listedKinds[kind]), name) {
			return l.all([]listed{{Name: name}})
		}
	}
	return usage("%v", resources.UnknownOr(singular(kind), name, l.known(kind), "see robotd list "+kind))
}

func singular(kind string) string {
	if kind == "classes" {
		return "class"
	}
	return strings.TrimSuffix(kind, "s")
}

// known are the names of a kind.
func (l *lister) known(kind string) (names []string) {
	if kind == "keys" {
		for _, k := range slices.Concat(l.ref.Instance, l.ref.Common) {
			names = append(names, k.Name)
		}
		return names
	}
	for _, t := range l.things(kind) {
		names = append(names, t.Name)
	}
	return names
}

func heading(c *reference.Class) string {
	text := c.Name + " (" + c.State + ")\n  " + c.Doc
	if len(c.Fixed) > 0 {
		text += "\n  Its code delegates to " + strings.Join(c.Fixed, ", ") + "."
	}
	if len(c.Intents) > 0 {
		text += "\n  Its code waits for the intents " + strings.Join(c.Intents, ", ") + "."
	}
	if len(c.Timers) > 0 {
		text += "\n  Its code relies on the timers " + strings.Join(c.Timers, ", ") + "."
	}
	if c.Broken != "" {
		text += "\n  Not all of its keys are known: " + c.Broken
	}
	return text
}

// detail prints a thing with its keys and an example.
func (l *lister) detail(thing any, head string, keys []resources.KeyInfo, example string, ok bool) error {
	if l.json {
		var raw json.RawMessage
		if ok {
			raw = json.RawMessage(example)
		}
		return encodeIndented(l.out, struct {
			Thing   any             `json:"thing"`
			Example json.RawMessage `json:"example,omitempty"`
		}{thing, raw})
	}
	if _, err := fmt.Fprintln(l.out, head); err != nil {
		return err
	}
	if err := l.keys(keys); err != nil || !ok {
		return err
	}
	_, err := fmt.Fprint(l.out, l.ref.Pretty(example))
	return err
}

// keys prints keys as a table.
func (l *lister) keys(keys []resources.KeyInfo) error {
	if l.json {
		return encodeIndented(l.out, keys)
	}
	rows := reference.Rows(keys)
	width := 0
	for _, r := range rows {
		width = max(width, 2*r.Depth+len(r.Key))
	}
	for _, r := range rows {
		line := fmt.Sprintf("  %-*s  %s", width, strings.Repeat("  ", r.Depth)+r.Key, r.Type)
		if r.Need != "" {
			line += "; " + r.Need
		}
		if r.Doc != "" {
			line += ": " + r.Doc
		}
		if _, err := fmt.Fprintln(l.out, line); err != nil {
			return err
		}
	}
	return nil
}
