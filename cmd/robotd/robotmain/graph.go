package robotmain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// graphFormats are what --format may name. Never written.
var graphFormats = []string{"dot", "json", "mermaid", "paths", "text"}

func (p *program) newGraph() *cobra.Command {
	var format, base, folder string
	var asJSON, stats, lenient bool
	c := &cobra.Command{
		Use:   "graph [DIR]",
		Short: "Draw who may delegate to whom",
		Args:  wantFolder(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			if !slices.Contains(graphFormats, format) {
				return usage("%v", resources.Unknown("format", format, graphFormats))
			}
			dir := first(args)
			switch {
			case dir != "" && folder != "":
				return usage("--resources and %s name two folders: give one", strconv.Quote(dir))
			case stats && format != "json" && format != "text":
				return usage("--stats has the formats json and text, not %s", format)
			case dir == "":
				dir = folder
			}
			cat, err := p.loadEither(dir, lenient, c.ErrOrStderr())
			if err != nil {
				return err
			}
			if base != "" && cat.Find(base) == nil {
				return usage("--base: %v", resources.Unknown("behavior", base, cat.IDs()))
			}
			if stats {
				return printStats(c.OutOrStdout(), cat.Stats(cmp.Or(base, cat.Boot.Base)), format)
			}
			if base != "" {
				cat = cat.Below(base)
			}
			return drawGraph(c.OutOrStdout(), cat, format)
		},
	}
	c.Flags().StringVar(&format, "format", "text", "one of "+strings.Join(graphFormats, ", "))
	c.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	c.Flags().StringVar(&folder, "resources", "", "resource `folder`, the same as DIR")
	c.Flags().StringVar(&base, "base", "", "begin at this `behavior`, and leave out what it does not lead to")
	c.Flags().BoolVar(&stats, "stats", false, "print the numbers of the tree: behaviors, edges, stacks, the longest chain …")
	c.Flags().BoolVar(&lenient, "lenient", false, lenientUsage)
	return c
}

func printStats(w io.Writer, s catalog.Stats, format string) error {
	if format == "json" {
		return json.NewEncoder(w).Encode(s)
	}
	_, err := io.WriteString(w, s.String())
	return err
}

func drawGraph(w io.Writer, cat *catalog.Catalog, format string) error {
	p := &printer{w: w}
	switch format {
	case "dot":
		p.dot(cat)
	case "mermaid":
		p.mermaid(cat)
	case "json":
		p.json(cat)
	case "paths":
		p.paths(cat)
	default:
		p.tree(cat)
	}
	return p.err
}

// A printer writes lines and remembers the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) put(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// dot is for Graphviz. Links are dashed.
func (p *printer) dot(cat *catalog.Catalog) {
	p.put("digraph robotd {\n\trankdir=LR;\n\tnode [shape=box, fontname=\"sans-serif\"];\n")
	for _, e := range cat.Entries {
		style := ""
		if e.ID == cat.Boot.Base {
			style = ", penwidth=2"
		}
		p.put("\t%q [label=\"%s\\n%s\"%s];\n", e.ID, e.ID, e.Class.Name, style)
	}
	for _, e := range cat.Entries {
		for _, d := range e.Delegates {
			p.put("\t%q -> %q;\n", e.ID, d)
		}
		for _, l := range e.Links {
			p.put("\t%q -> %q [style=dashed];\n", e.ID, l)
		}
	}
	p.put("}\n")
}

// mermaid is for Markdown pages. Names are quoted, because some mean something to Mermaid.
func (p *printer) mermaid(cat *catalog.Catalog) {
	p.put("flowchart LR\n")
	number := map[string]int{}
	for i, e := range cat.Entries {
		number[e.ID] = i
		p.put("\tn%d[\"%s<br>%s\"]\n", i, e.ID, e.Class.Name)
	}
	for i, e := range cat.Entries {
		for _, d := range e.Delegates {
			p.put("\tn%d --> n%d\n", i, number[d])
		}
		for _, l := range e.Links {
			p.put("\tn%d -.-> n%d\n", i, number[l])
		}
	}
}

// maxPaths bounds the lines of paths.
const maxPaths = 1_000_000

// paths has one line for each stack from the base to a behavior without delegates.
func (p *printer) paths(cat *catalog.Catalog) {
	if n := cat.Stats(cat.Boot.Base).LeafStacks; n.Cmp(big.NewInt(maxPaths)) > 0 {
		p.err = usage("%v paths lead from %s, more than %d: begin further up with --base", n, cat.Boot.Base, maxPaths)
		return
	}
	cat.Paths(cat.Boot.Base, func(path []string) bool {
		p.put("%s\n", strings.Join(path, " "))
		return p.err == nil
	})
}

// json is for scripts.
func (p *printer) json(cat *catalog.Catalog) {
	type node struct {
		ID        string   `json:"id"`
		Class     string   `json:"class"`
		Doc       string   `json:"doc"`
		State     string   `json:"state,omitempty"` // of a class without code: stand-in or inert
		File      string   `json:"file"`
		Delegates []string `json:"delegates"`
		Links     []string `json:"links"`
		Intents   []string `json:"intents"`
		Owner     string   `json:"owner,omitempty"` // of an anonymous behavior
		Label     string   `json:"label,omitempty"` // if it is not the ID
	}
	list := func(s []string) []string { return append([]string{}, s...) }
	out := struct {
		Base      string   `json:"base"`
		Fallback  string   `json:"fallback"`
		Intents   []string `json:"intents"`
		Behaviors []node   `json:"behaviors"`
	}{Base: cat.Boot.Base, Fallback: cat.Boot.Fallback, Intents: list(cat.Boot.Intents)}
	for _, e := range cat.Entries {
		n := node{ID: e.ID, Class: e.Class.Name, Doc: e.Class.Doc, File: e.File, Delegates: list(e.Delegates), Links: list(e.Links), Intents: list(e.Intents)}
		if e.Class.State != behaviors.Real {
			n.State = e.Class.State.String()
		}
		if n.Owner = e.Owner; n.Owner != "" {
			n.Label = e.Label
		}
		out.Behaviors = append(out.Behaviors, n)
	}
	p.err = json.NewEncoder(p.w).Encode(out)
}

// tree is for people: from the base downward, each behavior opened where it is met first.
func (p *printer) tree(cat *catalog.Catalog) {
	opened := map[string]bool{}
	var draw func(id, before, branch, below string)
	draw = func(id, before, branch, below string) {
		e := cat.Find(id)
		again := opened[id] && len(e.Delegates) > 0
		suffix := ""
		if again {
			suffix = " (see above)"
		}
		p.put("%s%s%s  %s%s\n", before, branch, id, e.Class.Name, suffix)
		if opened[id] {
			return
		}
		opened[id] = true
		for i, d := range e.Delegates {
			if i == len(e.Delegates)-1 {
				draw(d, before+below, "└─ ", "   ")
			} else {
				draw(d, before+below, "├─ ", "│  ")
			}
		}
	}
	draw(cat.Boot.Base, "", "", "")
	delegated := map[string]bool{}
	for _, e := range cat.Entries {
		for _, d := range e.Delegates {
			delegated[d] = true
		}
	}
	for _, ring := range []bool{false, true} { // last those that only a ring of behaviors leads to
		for _, e := range cat.Entries {
			if !opened[e.ID] && delegated[e.ID] == ring {
				draw(e.ID, "", "", "")
			}
		}
	}
}
