package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// BTCPPVariable names the environment variable with the path of the program that measures BehaviorTree.CPP: `PROGRAM KIND N MS` ticks a
// reactive tree of N conditions for MS milliseconds and prints "wall cpu", in ns for each condition and tick.
const BTCPPVariable = "BTCPP_BENCH"

// BTCPPKinds are the trees that the program knows and the table shows: conditions that read a variable, and conditions that read a port
// of the blackboard.
var BTCPPKinds = []string{"sequence", "port"}

// BTCPPName is the name of a kind in benchmarks and rows.
func BTCPPName(kind string) string { return "btcpp-" + kind }

const btcppTime = 100 * time.Millisecond

// askBTCPP lets the program measure once. It returns ns for each condition and tick: wall clock and processor time.
func askBTCPP(ctx context.Context, kind string, n int) (wall, cpu float64, err error) {
	program := os.Getenv(BTCPPVariable)
	out, err := exec.CommandContext(ctx, program, kind, strconv.Itoa(n), strconv.Itoa(int(btcppTime.Milliseconds()))).Output()
	if err != nil {
		return 0, 0, fmt.Errorf("%s=%s: %w", BTCPPVariable, program, err)
	}
	if _, err := fmt.Sscanf(strings.TrimSpace(string(out)), "%g %g", &wall, &cpu); err != nil {
		return 0, 0, fmt.Errorf("%s=%s prints %q, want two numbers, ns by the clock and of the processor: %w", BTCPPVariable, program, out, err)
	}
	return wall, cpu, nil
}
