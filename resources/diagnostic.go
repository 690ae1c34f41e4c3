package resources

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Severity says what a diagnostic does to a load.
type Severity uint8

// The severities. The zero value is Error, so a diagnostic whose severity was forgotten still fails the load.
const (
	Error   Severity = iota // the load fails
	Warning                 // the load goes on; the author should look
	Info                    // nothing is wrong
)

// String is the word printed in a diagnostic.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "info"
	default:
		return "severity(" + strconv.Itoa(int(s)) + ")"
	}
}

// MarshalText writes the word of [Severity.String], for machine-readable lists.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word back.
func (s *Severity) UnmarshalText(text []byte) error {
	for _, known := range [...]Severity{Error, Warning, Info} {
		if string(text) == known.String() {
			*s = known
			return nil
		}
	}
	return fmt.Errorf("resources: unknown severity %q", text)
}

// A Pos is a place in a file: line and column count from 1, the column in bytes (a tab is one, "é" is two), as
// compilers print them. A byte order mark at the start is not counted. The zero Pos means "no place".
type Pos struct {
	Line, Col int
}

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// before reports whether p stands in front of q.
func (p Pos) before(q Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col }

// String is "line:col", or "-" for no place.
func (p Pos) String() string {
	if !p.IsValid() {
		return "-"
	}
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// A Diagnostic is one finding about a file. It is a plain comparable value.
type Diagnostic struct {
	File     string   `json:"file,omitempty"` // slash-separated, as it was given to Parse; empty = about no file
	Line     int      `json:"line,omitempty"` // from 1; 0 = about the whole file
	Col      int      `json:"col,omitempty"`  // from 1, in bytes; 0 = about the whole line
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`           // stable word for programs, such as "key-unknown"
	Message  string   `json:"message"`        // one line, without final stop
	Hint     string   `json:"hint,omitempty"` // free text on what to do, such as `did you mean "x"?`
	More     int      `json:"more,omitempty"` // number of findings that this one stands for, because they were not kept
}

// Pos is the place of the finding.
func (d Diagnostic) Pos() Pos { return Pos{d.Line, d.Col} }

// String is one line in the shape that editors jump to: `file:line:col: error: message; hint`. Parts that are missing
// are left out together with their separator.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.File != "" {
		b.WriteString(d.File + ":")
	}
	if d.Line > 0 {
		b.WriteString(strconv.Itoa(d.Line) + ":")
		if d.Col > 0 {
			b.WriteString(strconv.Itoa(d.Col) + ":")
		}
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(d.Severity.String() + ": " + d.Message)
	if d.Hint != "" {
		b.WriteString("; " + d.Hint)
	}
	return b.String()
}

// compare orders by file and place; the rest only makes the order total, so that equal inputs print equally.
func (d Diagnostic) compare(e Diagnostic) int {
	return cmp.Or(
		strings.Compare(d.File, e.File), cmp.Compare(d.Line, e.Line), cmp.Compare(d.Col, e.Col),
		cmp.Compare(d.Severity, e.Severity), strings.Compare(d.Code, e.Code),
		strings.Compare(d.Message, e.Message), strings.Compare(d.Hint, e.Hint),
	)
}

// Diagnostics is a list of findings, often about many files.
type Diagnostics []Diagnostic

// Sort orders the list in place by file, line and column.
func (ds Diagnostics) Sort() { slices.SortFunc(ds, Diagnostic.compare) }

// HasErrors reports whether one of the findings is an error.
func (ds Diagnostics) HasErrors() bool { return ds.Count(Error) > 0 }

// Count is the number of findings of one severity, those included that were not kept.
func (ds Diagnostics) Count(s Severity) int {
	n := 0
	for _, d := range ds {
		if d.Severity == s {
			n += max(1, d.More)
		}
	}
	return n
}

// String prints one finding a line, in the order of the list, without a final newline.
func (ds Diagnostics) String() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Prefix returns a copy in which every file name lies below dir: what a command prints for files that were read
// from a directory of the user, so that an editor finds them.
func (ds Diagnostics) Prefix(dir string) Diagnostics {
	out := slices.Clone(ds)
	for i := range out {
		if out[i].File != "" {
			out[i].File = path.Join(dir, out[i].File)
		}
	}
	return out
}

// Err is nil when the list holds no error, else a *[LoadError] with the errors in sorted order.
func (ds Diagnostics) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	var errs Diagnostics
	for _, d := range ds {
		if d.Severity == Error {
			errs = append(errs, d)
		}
	}
	errs.Sort()
	return &LoadError{Diagnostics: errs}
}

// LoadError carries the error diagnostics of a failed load; errors.As finds it.
type LoadError struct {
	Diagnostics Diagnostics // at least one, all of severity Error, sorted
}

// Error prints one diagnostic a line.
func (e *LoadError) Error() string { return e.Diagnostics.String() }
