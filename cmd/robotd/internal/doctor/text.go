package doctor

import (
	"fmt"
	"io"
	"strings"
)

// Write prints a report for people.
func Write(w io.Writer, r Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Robot, r.Title)
	for _, s := range r.Sections {
		fmt.Fprintf(&b, "\n%s\n", s.Name)
		for i, c := range s.Checks {
			fmt.Fprintf(&b, "  %-4s  %s: %s\n", c.State, c.What, strings.ReplaceAll(c.Text, "\n", "; "))
			if c.Advice != "" && (i+1 == len(s.Checks) || s.Checks[i+1].Advice != c.Advice) { // once for several
				fmt.Fprintf(&b, "        → %s\n", c.Advice)
			}
		}
	}
	fmt.Fprintf(&b, "\n%d failed, %d warnings\n", r.Count(Fail), r.Count(Warn))
	_, err := io.WriteString(w, b.String())
	return err
}
