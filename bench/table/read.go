package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// module is the prefix of all packages.
const module = "github.com/robotd/robotd/"

// A run holds all measurements: the facts about the machine, and all values of each unit of each benchmark, in
// the order of the rounds.
type run struct {
	facts  map[string]string
	values map[string]map[string][]float64 // package:benchmark → unit → values
	kept   map[string]string               // package:benchmark → where a value of an earlier run comes from
}

// fact matches "cpu: AMD EPYC".
var fact = regexp.MustCompile(`^([a-z]+): (.+)$`)

// read parses the text. It skips lines that are neither a fact nor a result. A malformed result and a failed benchmark are
// errors.
func read(r io.Reader) (*run, error) {
	out := &run{facts: map[string]string{}, values: map[string]map[string][]float64{}}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "--- FAIL"), strings.HasPrefix(line, "panic:"):
			return nil, fmt.Errorf("line %d: %s", n, line)
		case strings.HasPrefix(line, "Benchmark"):
			if err := out.result(strings.Fields(line)); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		default:
			if m := fact.FindStringSubmatch(line); m != nil {
				out.facts[m[1]] = strings.TrimSpace(m[2])
			}
		}
	}
	return out, lines.Err()
}

// result keeps "BenchmarkTick/actors/10-2 100 12.5 ns/op 3 allocs/op".
func (r *run) result(f []string) error {
	if len(f) < 4 || len(f)%2 != 0 {
		return fmt.Errorf("not a result: %s", strings.Join(f, " "))
	}
	name := strings.TrimPrefix(f[0], "Benchmark")
	if procs := r.facts["gomaxprocs"]; procs != "1" { // Go adds it to the name unless it is 1
		name = strings.TrimSuffix(name, "-"+procs)
	}
	key := strings.TrimPrefix(r.facts["pkg"], module) + ":" + name
	if r.values[key] == nil {
		r.values[key] = map[string][]float64{}
	}
	for i := 2; i < len(f); i += 2 {
		v, err := strconv.ParseFloat(f[i], 64)
		if err != nil {
			return fmt.Errorf("%s: %w", f[0], err)
		}
		r.values[key][f[i+1]] = append(r.values[key][f[i+1]], v)
	}
	return nil
}

// A measure is the median of all rounds, and their limits.
type measure struct{ median, low, high float64 }

// of returns a measure; false if there is none.
func (r *run) of(key, unit string) (measure, bool) {
	vs := slices.Sorted(slices.Values(r.values[key][unit]))
	if len(vs) == 0 {
		return measure{}, false
	}
	mid := len(vs) / 2
	m := measure{vs[mid], vs[0], vs[len(vs)-1]}
	if len(vs)%2 == 0 {
		m.median = (vs[mid-1] + vs[mid]) / 2
	}
	return m, true
}
