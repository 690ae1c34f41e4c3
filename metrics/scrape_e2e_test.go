//go:build e2e

package metrics

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/metrics/promtest"
)

// TestPrometheusScrapesEveryFamily has a real server scrape the handler over loopback, with native histograms off and on.
func TestPrometheusScrapesEveryFamily(t *testing.T) {
	r := lively(t)
	for range 3 {
		r.m.Observe(&event.Tick{N: 1, Duration: 80 * time.Microsecond})
	}
	target := httptest.NewServer(r.m.Handler())
	t.Cleanup(target.Close)
	for _, c := range []struct {
		name  string
		flags []string
		count string // asks for the number of observed ticks
	}{
		{"classic", nil, "robotd_tick_duration_seconds_count"},
		{"native", []string{"--enable-feature=native-histograms"}, "histogram_count(robotd_tick_duration_seconds)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := promtest.Start(t, target.URL, c.flags...)
			s.Expect(c.count, "6")
			s.Expect("robotd_ticks_total", "6")
			s.Expect("robotd_stack_depth", "3")
			s.Expect(`robotd_behavior_active{behavior="Look"}`, "1")
			s.Expect(`robotd_build_info{version="1.2.3"}`, "1")
			s.Expect(`count(robotd_actor_up)`, "12")
			s.Expect(`up`, "1")
		})
	}
}

// run runs a program with text as its input and fails if it ends with an error.
func run(t *testing.T, stdin []byte, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), promtest.Program(t, name), args...)
	cmd.Stdin = bytes.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 && args[1] == "metrics" {
		t.Errorf("%s %v: %v\n%s", name, args, err, out)
	}
}

// TestPromtoolChecksMetrics lints what the daemon itself exposes; the names of the Go runtime are left out.
func TestPromtoolChecksMetrics(t *testing.T) {
	var ours bytes.Buffer
	for line := range strings.Lines(string(scrape(t, lively(t).m))) {
		if strings.Contains(line, "robotd_") {
			ours.WriteString(line)
		}
	}
	run(t, ours.Bytes(), "promtool", "check", "metrics")
}

// answers are situations in which the README's queries have to find something, or nothing.
const answers = `rule_files: [queries.yml]
evaluation_interval: 15s
tests:
  - name: a stop that left the motors behind, and the process after it
    interval: 15s
    input_series:
      - {series: 'robotd_stops_overdue_total{instance="a", stage="halt"}', values: "0x4 1 _ 0x20"}
      - {series: 'robotd_stops_overdue_total{instance="a", stage="drain"}', values: "0x4 0 _ 0x20"}
    promql_expr_test:
      - expr: query:robotd_stops_overdue_total
        eval_time: 5m
        exp_samples: [{labels: 'query:robotd_stops_overdue_total{stage="halt"}', value: 1}]
  - name: a reading that is stale, one that is not, and one that was never there
    interval: 15s
    input_series:
      - {series: 'robotd_hardware_sample_age_seconds{device="range"}', values: "0.05x4 15+15x4"}
      - {series: 'robotd_hardware_sample_age_seconds{device="battery"}', values: "0.2x8"}
      - {series: 'robotd_hardware_sample_age_seconds{device="vision"}', values: "NaN NaN NaN NaN NaN NaN NaN NaN NaN"}
    promql_expr_test:
      - expr: query:robotd_hardware_sample_age_seconds
        eval_time: 1m
        exp_samples: []
      - expr: query:robotd_hardware_sample_age_seconds
        eval_time: 1m30s
        exp_samples: [{labels: 'query:robotd_hardware_sample_age_seconds{device="range"}', value: 30}]
`

// TestPromtoolChecksQueriesAndAlerts parses every example of the README and runs the tests of the alert rules.
func TestPromtoolChecksQueriesAndAlerts(t *testing.T) {
	var rules strings.Builder
	rules.WriteString("groups:\n  - name: queries\n    rules:\n")
	for _, f := range Families() {
		fmt.Fprintf(&rules, "      - {record: %q, expr: %q}\n", "query:"+f.Name, f.Query)
	}
	file := filepath.Join(t.TempDir(), "queries.yml")
	if err := os.WriteFile(file, []byte(rules.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, nil, "promtool", "check", "rules", file)
	situations := filepath.Join(filepath.Dir(file), "situations.yml")
	if err := os.WriteFile(situations, []byte(answers), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, nil, "promtool", "test", "rules", situations)
	run(t, nil, "promtool", "check", "rules", "../resources/rules/robotd.yml")
	run(t, nil, "promtool", "test", "rules", "../resources/rules/robotd_test.yml")
}
