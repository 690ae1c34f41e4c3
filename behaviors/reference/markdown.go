package reference

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// Markdown writes the reference as a page. Examples use names of names.
func (r *Reference) Markdown(w io.Writer, names Names) error {
	p := &page{w: w, r: r, names: names}
	p.put("# Reference of behavior files\n\n")
	p.put("Made from the code that reads the files: `go test ./behaviors/reference -update` writes it. `robotd list` shows the same in a terminal.\n\n")
	p.put("* [Keys that every behavior has](#keys-that-every-behavior-has)\n* [Classes](#classes)\n* [Classes without code](#classes-without-code)\n* [Conditions](#conditions)\n* [Other files](#other-files)\n\n")
	p.put("## Keys that every behavior has\n\n")
	p.keys(append(slices.Clone(r.Instance), r.Common...))
	p.put("## Classes\n\n")
	for _, c := range r.Classes {
		if c.State == behaviors.Real.String() {
			p.class(c)
		}
	}
	p.put("## Classes without code\n\nTheir files are read and checked, and their gates, intents and delegates are real; in place of its task a stand-in shows its name for a while.\n\n")
	p.put("| class | state | what it is for | keys |\n|---|---|---|---|\n")
	for _, c := range r.Classes {
		if c.State != behaviors.Real.String() {
			p.put("| `%s` | %s | %s | %s |\n", c.Name, c.State, cell(c.Doc), cell(keyNames(c.Keys)))
		}
	}
	p.put("\n## Conditions\n\n")
	for _, c := range r.Conditions {
		p.condition(c)
	}
	p.put("## Other files\n\n")
	for _, f := range r.Files {
		p.put("### %s\n\n%s\n\n", f.Pattern, f.Doc)
		p.keys(f.Keys)
	}
	return p.err
}

// keyNames lists keys; a required one is bold.
func keyNames(keys []resources.KeyInfo) string {
	var names []string
	for _, k := range keys {
		switch {
		case k.Refused:
		case k.Required:
			names = append(names, "**`"+k.Name+"`**")
		default:
			names = append(names, "`"+k.Name+"`")
		}
	}
	return strings.Join(names, ", ")
}

// cell makes text fit a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// page writes and remembers the first error.
type page struct {
	w     io.Writer
	r     *Reference
	names Names
	err   error
}

func (p *page) put(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *page) keys(keys []resources.KeyInfo) {
	list := Rows(keys)
	if len(list) == 0 {
		p.put("No keys of its own.\n\n")
		return
	}
	p.put("| key | takes | | |\n|---|---|---|---|\n")
	for _, r := range list {
		p.put("| %s`%s` | %s | %s | %s |\n", strings.Repeat("· ", r.Depth), r.Key, cell(r.Type), cell(r.Need), cell(r.Doc))
	}
	p.put("\n")
}

func (p *page) class(c Class) {
	p.put("### %s\n\n%s\n\n", c.Name, c.Doc)
	p.keys(c.Keys)
	if len(c.Fixed) > 0 {
		p.put("Its code delegates to `%s`.\n\n", strings.Join(c.Fixed, "`, `"))
	}
	if len(c.Intents)+len(c.Timers) > 0 {
		p.put("Its code needs the intents and timers `%s` in the boot configuration.\n\n", strings.Join(append(slices.Clone(c.Intents), c.Timers...), "`, `"))
	}
	text, ok := p.r.Example(c.Name, ExampleID, p.names)
	p.example(text, ok)
}

func (p *page) condition(c Condition) {
	p.put("### %s\n\n%s\n\n", c.Name, c.Doc)
	if c.Unsupported {
		p.put("Not supported on this robot: never met.\n\n")
	}
	if len(c.Keys) > 0 {
		p.keys(c.Keys)
	}
	text, ok := p.r.ConditionExample(c.Name, p.names)
	p.example(text, ok)
}

func (p *page) example(text string, ok bool) {
	if ok {
		p.put("```json\n%s```\n\n", p.r.Pretty(text))
	}
}
