//go:build e2e

package metrics

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
)

// patience is how long a server may take from its start to the answer; it takes about two seconds.
const patience = 30 * time.Second

// program finds a program of Debian's package prometheus.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is not installed: run `make test`, which installs it, or `apt-get install prometheus`", name)
	}
	return path
}

// TestPrometheusScrapesEveryFamily has a real server scrape the handler over loopback, with native histograms off and on.
func TestPrometheusScrapesEveryFamily(t *testing.T) {
	prometheus := program(t, "prometheus")
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
			s := startServer(t, prometheus, target.URL, c.flags...)
			s.expect(c.count, "6")
			s.expect("robotd_ticks_total", "6")
			s.expect("robotd_stack_depth", "3")
			s.expect(`robotd_behavior_active{behavior="Look"}`, "1")
			s.expect(`robotd_build_info{version="1.2.3"}`, "1")
			s.expect(`count(robotd_actor_up)`, "12")
			s.expect(`up`, "1")
		})
	}
}

// A server is a running Prometheus.
type server struct {
	t   *testing.T
	url string
}

var listening = regexp.MustCompile(`msg="Listening on" address=(127\.0\.0\.1:\d+)`)

// startServer starts Prometheus on a free port of loopback with a directory of its own. It is stopped with the test.
func startServer(t *testing.T, program, target string, flags ...string) *server {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf(`global: {scrape_interval: 200ms, scrape_timeout: 200ms}
scrape_configs:
  - job_name: robotd
    static_configs: [{targets: [%q]}]
`, strings.TrimPrefix(target, "http://"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append([]string{
		"--config.file=" + config, "--storage.tsdb.path=" + filepath.Join(dir, "data"), "--web.listen-address=127.0.0.1:0",
	}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, logged := make(chan string, 1), make(chan []byte, 1)
	go func() {
		var log bytes.Buffer
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			log.WriteString(lines.Text() + "\n")
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				select {
				case address <- m[1]:
				default:
				}
			}
		}
		logged <- log.Bytes()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		hurry := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		log := <-logged // all of it is read before Wait closes the pipe
		hurry.Stop()
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Errorf("prometheus ended with %v; its log:\n%s", err, log)
		}
	})
	select {
	case a := <-address:
		return &server{t: t, url: "http://" + a}
	case <-time.After(patience):
		t.Fatal("prometheus does not listen")
		return nil
	}
}

// expect asks until the query has exactly one series with the value.
func (s *server) expect(query, value string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		values, err := s.query(ctx, query)
		if err == nil && len(values) == 1 && values[0] == value {
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			s.t.Fatalf("%s is %v (%v), want one series with %s", query, values, err, value)
		}
	}
}

func (s *server) query(ctx context.Context, query string) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/query?"+url.Values{"query": {query}}.Encode(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct {
		Status, Error string
		Data          struct {
			Result []struct{ Value [2]any }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Status != "success" {
		return nil, fmt.Errorf("%s: %s", answer.Status, answer.Error)
	}
	var values []string
	for _, r := range answer.Data.Result {
		values = append(values, fmt.Sprint(r.Value[1]))
	}
	return values, nil
}

// run runs a program with text as its input and fails if it ends with an error.
func run(t *testing.T, stdin []byte, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t, name), args...)
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
	run(t, nil, "promtool", "check", "rules", "../resources/rules/robotd.yml")
	run(t, nil, "promtool", "test", "rules", "../resources/rules/robotd_test.yml")
}
