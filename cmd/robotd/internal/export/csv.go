package export

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/robotd/robotd/cmd/robotd/internal/facts"
)

// CSVSeries are the columns of a CSV unless others are chosen.
var CSVSeries = []string{"battery", "range", "wheel_left", "wheel_right", "x", "y", "yaw"}

type sample struct {
	at float64
	i  int
	v  float64
}

// CSV writes numbers as a table: a line for each time at which one of them changed, with the newest of each. A number that there is
// not is an empty field.
func CSV(w io.Writer, p *facts.Past, series []string, from, to float64) error {
	var all []sample
	if err := p.Numbers(series, from, to, func(i int, at, v float64) { all = append(all, sample{at, i, v}) }); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
	out := csv.NewWriter(w)
	if err := out.Write(append([]string{"time_s"}, series...)); err != nil {
		return err
	}
	line := make([]string, 1+len(series))
	for k, s := range all {
		line[0], line[1+s.i] = number(s.at), number(s.v)
		if k+1 < len(all) && all[k+1].at == s.at {
			continue
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}
