package rates

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Measure tries everything whose name only matches with the seeds 1 to n, jobs trials side by side, and returns the rows of the table.
func Measure(n, jobs int, only *regexp.Regexp) ([]Row, error) {
	var rows []Row
	for _, m := range measures() {
		if !only.MatchString(m.row.What) {
			continue
		}
		row, err := m.over(n, jobs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.What, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// outcome is that of one trial.
type outcome struct {
	good  bool
	size  float64
	falls uint64
	err   error
}

// over tries one thing with the seeds 1 to n.
func (m measure) over(n, jobs int) (Row, error) {
	all := make([]outcome, n)
	var wg sync.WaitGroup
	first := 0
	if *oneSeed > 0 {
		first, all = int(*oneSeed)-1, all[:1]
	}
	next := make(chan int)
	for range jobs {
		wg.Go(func() {
			for i := range next {
				all[i] = m.once(uint64(first + i + 1))
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	wg.Wait()
	row := m.row
	for i, o := range all {
		switch {
		case errors.Is(o.err, errNoRoom):
			continue
		case o.err != nil && row.Rate == 0:
			return row, fmt.Errorf("seed %d: %w", first+i+1, o.err)
		}
		if !o.good || o.err != nil {
			row.Failed = append(row.Failed, first+i+1)
		}
		row.N++
		row.Falls += o.falls
		if o.good && o.err == nil {
			row.Good++
			row.Errors = append(row.Errors, o.size)
		}
	}
	slices.Sort(row.Errors)
	return row, nil
}

func (m measure) once(seed uint64) (out outcome) {
	if m.alone != nil {
		out.good, out.size, out.err = m.alone(seed)
		return out
	}
	opt := options(seed)
	if m.options != nil {
		m.options(&opt)
	}
	out.err = run(opt, func(t *trial, do do) (err error) {
		out.good, out.size, err = m.try(t, do)
		out.falls = t.rig.Stats().Falls
		return err
	})
	return out
}

// Size is the error that is compared with the limit: a quantile, or the mean.
func (r Row) Size() float64 {
	if len(r.Errors) == 0 {
		return math.NaN()
	}
	if r.Q > 0 {
		return r.Errors[min(int(math.Ceil(r.Q*float64(len(r.Errors))))-1, len(r.Errors)-1)]
	}
	sum := 0.0
	for _, e := range r.Errors {
		sum += e
	}
	return sum / float64(len(r.Errors))
}

// Met reports whether a row is as good as it should be.
func (r Row) Met() bool {
	return r.N > 0 && r.Falls == 0 && float64(r.Good) >= r.Rate*float64(r.N) && (r.Limit == 0 || r.Size() <= r.Limit)
}

// Table writes rows in Markdown.
func Table(rows []Row) string {
	var b strings.Builder
	b.WriteString("# What actions achieve\n\nWritten by `make rates`: each line is tried with that many seeds, with the real drivers on emulated chips, in virtual time, and judged by the\ntruth of the simulated world. Error is that of the trials that went well. Below 200 are lines for which some seeds leave no room on the table, and those\nafter a step that has a line of its own and failed.\n\n")
	b.WriteString("| what | n | good | error | wanted | |\n|---|---|---|---|---|---|\n")
	for _, r := range rows {
		word := "met"
		if !r.Met() {
			word = "**missed**"
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s |\n", r.What, r.N, r.good(), r.size(), r.wanted(), word)
	}
	return b.String()
}

func (r Row) good() string {
	if r.Rate == 0 {
		return ""
	}
	text := fmt.Sprintf("%.1f %%", 100*float64(r.Good)/float64(max(r.N, 1)))
	if r.Falls > 0 {
		text += fmt.Sprintf(", %d falls", r.Falls)
	}
	return text
}

func (r Row) kind() string {
	if r.Q > 0 {
		return fmt.Sprintf("p%.0f", 100*r.Q)
	}
	return "mean"
}

func (r Row) size() string { return fmt.Sprintf("%s %.2f %s", r.kind(), r.Size(), r.Unit) }

func (r Row) wanted() string {
	var all []string
	if r.Rate > 0 {
		all = append(all, fmt.Sprintf("≥ %.0f %%", 100*r.Rate))
	}
	if r.Limit > 0 {
		all = append(all, fmt.Sprintf("%s ≤ %g %s", r.kind(), r.Limit, r.Unit))
	}
	return strings.Join(all, ", ")
}
