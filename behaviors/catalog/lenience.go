package catalog

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// A Lenience loads the behaviors of another robot: what this robot does not have is left out, stands still, or is done by a stand-in, and
// every such change is told. The zero Lenience is ready.
type Lenience struct {
	Notes []Note

	ids     map[string]bool
	instead map[string]*behaviors.Class // class by the ID of the behavior, where it is not the one of its file
	inert   map[string]*behaviors.Class // classes that nobody knows
	classes *behaviors.Registry
	steps   map[string][]step // by behavior
}

// NoteKind says what became of something foreign.
type NoteKind string

// The kinds, in the order of a report.
const (
	NoteMapped      NoteKind = "mapped"      // means something of this robot
	NoteStandIn     NoteKind = "stand-in"    // a class without code: it shows its name
	NoteInert       NoteKind = "inert"       // a class that never wants control
	NoteUnsupported NoteKind = "unsupported" // a condition that is never met
	NoteKept        NoteKind = "kept"        // a word that nothing here knows; it is kept
	NoteIgnored     NoteKind = "ignored"     // a key or a value that is not read
	NoteDropped     NoteKind = "dropped"     // the name of a behavior that does not exist
	NoteSkipped     NoteKind = "skipped"     // a file, or a part of it, of which nothing is made
)

// NoteKinds are the kinds in the order of a report.
func NoteKinds() []NoteKind {
	return []NoteKind{NoteMapped, NoteStandIn, NoteInert, NoteUnsupported, NoteKept, NoteIgnored, NoteDropped, NoteSkipped}
}

// A Note tells one change.
type Note struct {
	Kind NoteKind `json:"kind"`
	// What is the class, the condition type, the word or the code of the finding: what notes are counted by.
	What string `json:"what"`
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"column,omitempty"`
	Text string `json:"text"`
}

func (l *Lenience) note(kind NoteKind, what, file string, at resources.Pos, text string) {
	l.Notes = append(l.Notes, Note{Kind: kind, What: what, File: file, Line: at.Line, Col: at.Col, Text: text})
}

// told notes a finding that is no mistake of a file for another robot.
func (l *Lenience) told(d resources.Diagnostic) {
	kind := NoteIgnored
	switch d.Code {
	case resources.CodeSyntax, resources.CodeDepth, resources.CodeFileUnreadable, resources.CodeFileSize, resources.CodeFileLimit, "id-duplicate",
		"anon-create", "anon-dup", "limit":
		kind = NoteSkipped
	case "class-unknown":
		return // told by the class
	case "id-file-mismatch", "anon-id", "anon-label", "anon-shadows-id", "id-invalid", resources.CodeTrailing, resources.CodeKeyDuplicate, resources.CodeComma:
		kind = NoteKept
	}
	l.note(kind, d.Code, d.File, d.Pos(), d.Message)
}

// TakeOver makes notes of the errors of a list, and returns the rest.
func (l *Lenience) TakeOver(diags resources.Diagnostics) resources.Diagnostics {
	var rest resources.Diagnostics
	for _, d := range diags {
		if d.Severity == resources.Error {
			l.told(d)
		} else if d.Severity == resources.Warning {
			rest = append(rest, d)
		}
	}
	return rest
}

// noBehavior is what a note says of a file without a class.
const noBehavior = "not a behavior"

// Skipped tells as errors what was not read, for a folder of which nothing is left.
func (l *Lenience) Skipped() (diags resources.Diagnostics) {
	for _, n := range l.Notes {
		if n.Kind != NoteSkipped && n.Kind != NoteIgnored {
			continue
		}
		code := n.What
		if code == noBehavior {
			code = resources.CodeKeyRequired
		}
		diags = append(diags, resources.Diagnostic{File: n.File, Line: n.Line, Col: n.Col, Severity: resources.Error, Code: code, Message: n.Text})
	}
	return diags
}

// finish sorts the notes, each once.
func (l *Lenience) finish() {
	slices.SortFunc(l.Notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(slices.Index(NoteKinds(), a.Kind), slices.Index(NoteKinds(), b.Kind)), cmp.Compare(a.What, b.What), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Text, b.Text))
	})
	l.Notes = slices.Compact(l.Notes)
}

// Counts are the notes of each kind.
func (l *Lenience) Counts() map[NoteKind]int {
	counts := make(map[NoteKind]int, len(NoteKinds()))
	for _, k := range NoteKinds() {
		counts[k] = 0
	}
	for _, n := range l.Notes {
		counts[n.Kind]++
	}
	return counts
}
