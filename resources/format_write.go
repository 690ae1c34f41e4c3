package resources

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// lineWidth is how long a line may become before what stands on it is broken up.
const lineWidth = 140

// layout writes parts.
type layout struct {
	text      []byte
	commented bool // a comment takes the rest of the line
}

func layoutOf(tree *hujson.Value, arrange Arrange) []byte {
	f := formatter{arrange: arrange}
	root := f.read(tree, "")
	var w layout
	header, newlines := remarks(tree.BeforeExtra)
	w.lines(header, 0)
	w.begin(newlines > 1, 0)
	w.composite(&root, 0, true)
	footer, _ := remarks(tree.AfterExtra)
	for _, c := range footer {
		if c.line || w.commented {
			w.begin(c.blank, 0)
		} else {
			w.text = append(w.text, ' ')
		}
		w.remark(c)
	}
	return append(w.text, '\n')
}

// begin begins a line, with an empty one before it if blank says so and this is not the first of a file or composite.
func (w *layout) begin(blank bool, depth int) {
	if len(w.text) == 0 {
		return
	}
	if last := w.text[len(w.text)-1]; blank && last != '{' && last != '[' {
		w.text = append(w.text, '\n')
	}
	w.commented = false
	w.text = append(w.text, '\n')
	w.text = append(w.text, strings.Repeat("  ", depth)...)
}

// lines writes comments on lines of their own.
func (w *layout) lines(list []remark, depth int) {
	for _, c := range list {
		w.begin(c.blank, depth)
		w.remark(c)
	}
}

// behind writes comments behind what they are about.
func (w *layout) behind(list []remark, depth int) {
	for _, c := range list {
		if w.commented {
			w.begin(false, depth)
		} else {
			w.text = append(w.text, ' ')
		}
		w.remark(c)
	}
}

// composite writes a value. Each says that every element gets a line.
func (w *layout) composite(p *part, depth int, each bool) {
	if p.open == 0 {
		w.text = append(w.text, p.value...)
		return
	}
	bare := part{open: p.open, shut: p.shut, value: p.value, first: p.first, parts: p.parts, last: p.last, wide: p.wide}
	if line, ok := bare.inline(); ok && !each && w.fits(line+",") {
		w.text = append(w.text, line...)
		return
	}
	w.text = append(w.text, p.open)
	w.behind(p.first, depth+1)
	for i := range p.parts {
		w.element(&p.parts[i], depth+1, each || !p.wide || i == 0, i == len(p.parts)-1)
	}
	w.lines(p.last, depth+1)
	if len(p.parts)+len(p.last)+len(p.first) > 0 {
		w.begin(false, depth)
	}
	w.text = append(w.text, p.shut)
}

// element writes one element of a composite that takes several lines.
func (w *layout) element(e *part, depth int, begins, last bool) {
	if line, ok := e.inline(); begins || e.line || len(e.lead) > 0 || w.commented || !ok || !w.fits(" "+line+",") {
		w.lines(e.lead, depth)
		w.begin(e.blank, depth)
	} else {
		w.text = append(w.text, ' ')
	}
	if e.name != "" {
		w.text = append(append(w.text, e.name...), ": "...)
	}
	for _, c := range e.aside {
		w.text = append(append(w.text, c.text...), ' ')
	}
	w.composite(e, depth, false)
	if !last {
		w.text = append(w.text, ',')
	}
	w.behind(e.tail, depth)
}

// remark writes a comment.
func (w *layout) remark(c remark) {
	w.text = append(w.text, c.text...)
	w.commented = toEnd(c)
}

// fits reports whether more text fits on the line.
func (w *layout) fits(more string) bool {
	line := w.text[bytes.LastIndexByte(w.text, '\n')+1:]
	return utf8.RuneCount(line)+utf8.RuneCountInString(more) <= lineWidth
}

// inline writes a part on one line; false if it cannot be.
func (p *part) inline() (string, bool) {
	var b strings.Builder
	if p.name != "" {
		b.WriteString(p.name + ": ")
	}
	if p.open == 0 {
		b.WriteString(p.value)
		return b.String(), true
	}
	if p.wide || len(p.first) > 0 {
		return "", false
	}
	b.WriteByte(p.open)
	for i := range p.parts {
		e := &p.parts[i]
		line, ok := e.inline()
		if !ok || len(e.tail)+len(e.aside) > 0 {
			return "", false
		}
		switch {
		case i > 0:
			b.WriteString(", ")
		case p.open == '{':
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	if p.open == '{' && len(p.parts) > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte(p.shut)
	return b.String(), true
}
