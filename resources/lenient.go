package resources

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// SetLenient says that the document was made for another robot: who reads it takes what it does not know for something that this robot
// does not have, and not for a mistake.
func (d *Document) SetLenient(on bool) { d.lenient = on }

// Lenient reports whether the document of the object was made for another robot.
func (o *Object) Lenient() bool { return o.doc != nil && o.doc.lenient }

// Mark is the number of findings so far, for [Document.FoundSince] and [Document.Relax].
func (d *Document) Mark() int { return len(d.sink.found) }

// FoundSince returns what was found after a mark, in order.
func (d *Document) FoundSince(mark int) []Diagnostic { return slices.Clone(d.sink.found[mark:]) }

// Relax gives the errors that were found after a mark another severity.
func (d *Document) Relax(mark int, to Severity) {
	for i := mark; i < len(d.sink.found); i++ {
		if f := &d.sink.found[i]; f.Severity == Error {
			f.Severity = to
		}
	}
}

// Without returns a document that lacks what stands at some places: the member of an object whose value is there, or the element of an
// array. Blanks stand in its place, so that everything else stays where it is. It is to be read anew; nothing of d changes. The number of
// places that were found is returned along.
func (d *Document) Without(places map[Pos]bool) (*Document, int) {
	text := []byte(d.json)
	tree, err := hujson.Parse([]byte(d.json))
	if err != nil {
		return d, 0
	}
	c := cutter{text: text, cut: make(map[int]bool, len(places))}
	for p := range places {
		if off, ok := d.lines.get().offset(p); ok {
			c.cut[off] = true
		}
	}
	c.value(&tree)
	out := Reread(d.File(), string(text))
	out.lenient = d.lenient
	return out, c.found
}

// A cutter blanks out parts of a text.
type cutter struct {
	text  []byte
	cut   map[int]bool // offsets of values
	found int
}

// A piece is a member or an element: where it begins and ends, and where its value is.
type piece struct {
	from, to int
	value    *hujson.Value
}

func (c *cutter) value(v *hujson.Value) {
	switch t := v.Value.(type) {
	case *hujson.Object:
		list := make([]piece, len(t.Members))
		for i := range t.Members {
			m := &t.Members[i]
			list[i] = piece{m.Name.StartOffset, m.Value.EndOffset, &m.Value}
		}
		c.pieces(list)
	case *hujson.Array:
		list := make([]piece, len(t.Elements))
		for i := range t.Elements {
			e := &t.Elements[i]
			list[i] = piece{e.StartOffset, e.EndOffset, e}
		}
		c.pieces(list)
	}
}

// pieces blanks out those that are cut, with the commas that they leave over, and goes down into the others.
func (c *cutter) pieces(list []piece) {
	last := -1 // that stays
	for i := range list {
		if c.cut[list[i].value.StartOffset] {
			c.found++
		} else {
			last = i
		}
	}
	for i, p := range list {
		gone := c.cut[p.value.StartOffset]
		if gone {
			c.blank(p.from, p.to)
		} else {
			c.value(p.value)
		}
		if i+1 < len(list) && (gone || i == last) {
			c.blank(p.to, list[i+1].from)
		}
	}
}

// blank puts blanks in place of a part of the text, and keeps its lines.
func (c *cutter) blank(from, to int) {
	for i := from; i < to; i++ {
		if !strings.ContainsRune("\r\n", rune(c.text[i])) {
			c.text[i] = ' '
		}
	}
}
