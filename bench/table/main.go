// Table reads the output of `go test -bench`, any number of times over, and prints one Markdown table of the medians: the
// goals, then the tick barrier under every runtime. `make bench` calls it.
//
// Its argument is the file that keeps the newest figures of BehaviorTree.CPP, which is measured only where its program is.
//
// Lines like "kernel: Linux 6.1", which the benchmarks do not print themselves, describe the machine. The exit status is 1 if a
// row of the table was not measured. A goal that is missed is a row, not an error.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/robotd/robotd/bench"
)

func main() {
	run, err := read(os.Stdin)
	if err == nil && len(os.Args) > 1 {
		err = run.remember(os.Args[1])
	}
	if err == nil {
		rows := slices.Concat(goalRows(run), askRows(run, bench.AskPeers), barrierRows(run, bench.Peers))
		_, err = os.Stdout.WriteString(render(run, rows, versions(bench.Peers)))
		for _, r := range rows {
			if r.measured == "" && err == nil {
				err = fmt.Errorf("%s %s %s was not measured", r.goal, r.what, r.n)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

// versions are those of the peers' modules that this program was built with, in the order of the peers.
func versions(peers []bench.Peer) []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	var out []string
	for _, p := range peers {
		for _, m := range info.Deps {
			if m.Path != p.Module {
				continue
			}
			if m.Replace != nil {
				m = m.Replace
			}
			if v := m.Path + " " + m.Version; !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}
