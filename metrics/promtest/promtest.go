// Package promtest runs a real Prometheus for end-to-end tests.
package promtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is how long a server may take from its start to the answer; it takes about two seconds.
const patience = 5 * time.Minute

// Program finds a program of Debian's package prometheus.
func Program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is not installed: run `make test`, which installs it, or `apt-get install prometheus`", name)
	}
	return path
}

// A Server is a running Prometheus.
type Server struct {
	t   *testing.T
	url string
}

var listening = regexp.MustCompile(`msg="Listening on" address=(127\.0\.0\.1:\d+)`)

// Start starts Prometheus on a free port of loopback with a directory of its own. It is stopped with the test.
func Start(t *testing.T, target string, flags ...string) *Server {
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
	cmd := exec.Command(Program(t, "prometheus"), append([]string{
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
		return &Server{t: t, url: "http://" + a}
	case <-time.After(patience):
		t.Fatal("prometheus does not listen")
		return nil
	}
}

// Expect asks until the query has exactly one series with the value.
func (s *Server) Expect(query, value string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		values, err := s.Query(ctx, query)
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

// Query is the values of the series that a query has now.
func (s *Server) Query(ctx context.Context, query string) ([]string, error) {
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
