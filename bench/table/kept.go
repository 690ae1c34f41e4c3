package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/robotd/robotd/bench"
)

// btcpp is where BehaviorTree.CPP's figure is measured.
func btcpp(kind string, n int) string {
	return fmt.Sprintf("bench:Ask/%s/%d", bench.BTCPPName(kind), n)
}

// btcppKeys are all such places.
func btcppKeys() (keys []string) {
	for _, n := range sizes {
		for _, kind := range bench.BTCPPKinds {
			keys = append(keys, btcpp(kind, n))
		}
	}
	return keys
}

// remember fills in what only some machines can measure. If this run measured BehaviorTree.CPP, the file keeps the medians with date and
// processor; if not, its figures are used.
func (r *run) remember(file string) error {
	if _, ok := r.of(btcppKeys()[0], cpuTime); ok {
		return os.WriteFile(file, []byte(r.lasting()), 0o644)
	}
	text, err := os.Open(file)
	if err != nil {
		return err
	}
	defer text.Close()
	old, err := read(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	whence := fmt.Sprintf(" (of %s, %s)", old.facts["date"], old.facts["cpu"])
	r.kept = map[string]string{}
	for key, values := range old.values {
		r.values[key], r.kept[key] = values, whence
	}
	return nil
}

// lasting is BehaviorTree.CPP's part of the run in the form in which it is read again.
func (r *run) lasting() string {
	var b strings.Builder
	b.WriteString("The newest figures of BehaviorTree.CPP, for runs without its program. `make bench` writes them.\n")
	for _, fact := range []string{"date", "cpu", "kernel"} {
		fmt.Fprintf(&b, "%s: %s\n", fact, r.facts[fact])
	}
	fmt.Fprintf(&b, "gomaxprocs: 1\npkg: %sbench\n", module)
	keys := btcppKeys()
	slices.Sort(keys)
	for _, key := range keys {
		wall, _ := r.of(key, "ns/unit")
		cpu, _ := r.of(key, cpuTime)
		fmt.Fprintf(&b, "Benchmark%s 1 %.1f ns/unit %.1f %s\n", strings.TrimPrefix(key, "bench:"), wall.median, cpu.median, cpuTime)
	}
	return b.String()
}

// whence tells of a value that an earlier run measured when and where; empty if this run did.
func (r *run) whence(key string) string { return r.kept[key] }
