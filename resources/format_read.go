package resources

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// remark is a comment.
type remark struct {
	text  string
	line  bool // it begins a line
	blank bool // an empty line is before it
}

// remarks reads the comments in what stands between values, and the number of line ends behind the last one.
func remarks(extra hujson.Extra) (out []remark, newlines int) {
	for s := string(extra); s != ""; {
		switch {
		case strings.HasPrefix(s, "//"):
			text, rest, _ := strings.Cut(s, "\n")
			out = append(out, remark{text: strings.TrimRight(text, " \t\r"), line: newlines > 0, blank: newlines > 1})
			newlines, s = 1, rest
		case strings.HasPrefix(s, "/*"):
			end := strings.Index(s[2:], "*/") + len("/**/")
			out = append(out, remark{text: s[:end], line: newlines > 0, blank: newlines > 1})
			newlines, s = 0, s[end:]
		default:
			if s[0] == '\n' {
				newlines++
			}
			s = s[1:]
		}
	}
	return out, newlines
}

func texts(extra hujson.Extra) (out []string) {
	list, _ := remarks(extra)
	for _, c := range list {
		out = append(out, c.text)
	}
	return out
}

// part is a value, or a key with its value, with the comments that belong to it.
type part struct {
	lead  []remark // before it, on lines of their own
	name  string   // of a key, as written
	aside []remark // between the key and its value
	value string   // of what is no object or array
	open  byte     // '{', '[' or 0
	shut  byte
	first []remark // behind the opening brace, on its line
	parts []part
	last  []remark // before the closing brace, on lines of their own
	tail  []remark // behind it, on its line
	line  bool     // it begins a line
	blank bool     // an empty line is before it
	wide  bool     // an element, or a comment after the last one, begins a line
}

// formatter reads a tree into parts.
type formatter struct{ arrange Arrange }

func (f *formatter) read(v *hujson.Value, path string) part {
	switch t := v.Value.(type) {
	case *hujson.Object:
		return f.object(t, path)
	case *hujson.Array:
		p := part{open: '[', shut: ']'}
		var tail []remark
		for i := range t.Elements {
			e := &t.Elements[i]
			p.add(f.read(e, path+"[]"), e.BeforeExtra, tail)
			tail, _ = remarks(e.AfterExtra)
		}
		p.close(t.AfterExtra, tail)
		return p
	case hujson.Literal:
		return part{value: string(t)}
	}
	return part{}
}

func (f *formatter) object(t *hujson.Object, path string) part {
	p := part{open: '{', shut: '}'}
	var tail []remark
	for i := range t.Members {
		m := &t.Members[i]
		name := m.Name.Value.(hujson.Literal)
		member := f.read(&m.Value, joinPath(path, keyName(name)))
		member.name = string(name)
		p.add(member, m.Name.BeforeExtra, tail)
		added := &p.parts[len(p.parts)-1]
		between, _ := remarks(slices.Concat(m.Name.AfterExtra, m.Value.BeforeExtra))
		for _, c := range between {
			if toEnd(c) {
				added.lead = append(added.lead, remark{text: c.text, line: true})
				added.line, p.wide = true, true
			} else {
				added.aside = append(added.aside, c)
			}
		}
		tail, _ = remarks(m.Value.AfterExtra)
	}
	p.close(t.AfterExtra, tail)
	f.order(&p, path)
	return p
}

// toEnd reports whether a comment takes the rest of its line.
func toEnd(c remark) bool { return strings.HasPrefix(c.text, "//") }

// add appends an element. Before has the comments before it, tail those before the comma.
func (p *part) add(e part, before hujson.Extra, tail []remark) {
	list, newlines := remarks(before)
	e.lead = p.share(tail, list)
	e.line = newlines > 0 || len(e.lead) > 0
	e.blank = newlines > 1
	p.wide = p.wide || e.line
	p.parts = append(p.parts, e)
}

// share gives the comments that begin no line, and those before the comma, to what stands on their line, and returns the others.
func (p *part) share(tail, list []remark) []remark {
	n := 0
	for n < len(list) && !list[n].line {
		n++
	}
	mine := append(slices.Clone(tail), list[:n]...)
	rest := list[n:]
	if end := slices.IndexFunc(mine, toEnd) + 1; end > 0 && end < len(mine) { // what follows cannot stay on the line
		mine, rest = mine[:end], slices.Concat(mine[end:], rest)
	}
	if len(p.parts) == 0 {
		p.first = append(p.first, mine...)
	} else {
		last := &p.parts[len(p.parts)-1]
		last.tail = append(last.tail, mine...)
	}
	return rest
}

// close takes over the comments before the closing brace.
func (p *part) close(extra hujson.Extra, tail []remark) {
	list, _ := remarks(extra)
	p.last = p.share(tail, list)
	p.wide = p.wide || len(p.last) > 0
}

// order brings the keys in their order. Which key begins a line stays with the place.
func (f *formatter) order(p *part, path string) {
	if f.arrange == nil {
		return
	}
	texts, lines := make(map[string]string, len(p.parts)), make([]bool, len(p.parts))
	for i := range p.parts {
		texts[p.parts[i].key()], lines[i] = p.parts[i].text(), p.parts[i].line
	}
	want := f.arrange(path, texts)
	rank := func(m part) int {
		if i := slices.Index(want, m.key()); i >= 0 {
			return i
		}
		return len(want)
	}
	slices.SortStableFunc(p.parts, func(a, b part) int { return rank(a) - rank(b) })
	for i := range p.parts {
		p.parts[i].line = lines[i]
	}
}

func (p *part) key() string { return keyName(hujson.Literal(p.name)) }

// text is that of a string; empty for anything else.
func (p *part) text() string {
	if strings.HasPrefix(p.value, `"`) {
		return hujson.Literal(p.value).String()
	}
	return ""
}
