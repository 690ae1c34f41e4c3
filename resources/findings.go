package resources

import "fmt"

// Findings collects what is found in many files: it keeps [MaxDiagnostics], errors before warnings before the rest, and counts the
// others. The zero value is empty.
type Findings struct {
	kept [Info + 1]Diagnostics
	lost [Info + 1]int
}

// Add takes over findings. One that stands for others that were not kept ([Diagnostic.More]) is added to the count.
func (f *Findings) Add(ds ...Diagnostic) {
	for _, d := range ds {
		s := min(d.Severity, Info)
		switch {
		case d.More > 0:
			f.lost[s] += d.More
		case len(f.kept[s]) >= MaxDiagnostics:
			f.lost[s]++
		default:
			f.kept[s] = append(f.kept[s], d)
		}
	}
}

// Full reports whether further errors are only counted.
func (f *Findings) Full() bool { return len(f.kept[Error]) >= MaxDiagnostics }

// HasErrors reports whether one of the findings is an error.
func (f *Findings) HasErrors() bool { return len(f.kept[Error]) > 0 || f.lost[Error] > 0 }

// List returns what was kept, sorted, led by the counts of what was not, which stand in no file.
func (f *Findings) List() Diagnostics {
	var out Diagnostics
	room := MaxDiagnostics
	for s, kept := range f.kept {
		n := min(room, len(kept))
		out = append(out, kept[:n]...)
		room -= n
		if more := f.lost[s] + len(kept) - n; more > 0 {
			out = append(out, Diagnostic{
				Severity: Severity(s), Code: CodeTooMany, More: more,
				Message: fmt.Sprintf("%d more %ss are not shown; the limit is %d findings", more, Severity(s), MaxDiagnostics),
			})
		}
	}
	out.Sort()
	return out
}
