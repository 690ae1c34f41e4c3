package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// late is a bound that only a process that hangs reaches, even beside eight that spin.
const late = 4 * time.Minute

// A liveProcess is robotd, live, in a process of its own.
type liveProcess struct {
	t       *testing.T
	cmd     *exec.Cmd
	client  *control.Client
	metrics string // address
	ended   chan error
}

// startLive starts robotd with these outputs, which it closes here, and waits until it is ready.
func startLive(t *testing.T, stdout, stderr *os.File, args ...string) *liveProcess {
	t.Helper()
	page, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	p := &liveProcess{t: t, metrics: metrics, ended: make(chan error, 1)}
	if p.client, err = control.NewClient(page, late); err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command("robotd", append([]string{"run", "--log-level", "debug", "--listen", page, "--metrics-listen", metrics}, args...)...)
	p.cmd.Stdout, p.cmd.Stderr = stdout, stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range []*os.File{stdout, stderr} {
		_ = f.Close()
	}
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.eventually("ready", func() bool { return p.get("/readyz") == `{"ok":true}` })
	return p
}

// get reads a page of the metrics address; "" without an answer.
func (p *liveProcess) get(path string) string {
	ctx, cancel := context.WithTimeout(p.t.Context(), late)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.metrics+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer func() { _ = resp.Body.Close() }()
	text, _ := io.ReadAll(resp.Body)
	return strings.TrimSpace(string(text))
}

func (p *liveProcess) eventually(what string, is func() bool) {
	p.t.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(late); !is(); <-look.C {
		select {
		case err := <-p.ended:
			p.t.Fatalf("ended before it was %s: %v", what, err)
		default:
		}
		if time.Now().After(end) {
			p.t.Fatalf("not %s within %v", what, late)
		}
	}
}

// drives waits until ticks were completed and the wheels have turned, counted from now, and the health check says so.
func (p *liveProcess) drives() {
	p.t.Helper()
	state := func() (s control.State) {
		_, err := p.client.Get(p.t.Context(), "/v1/state", &s)
		if err != nil {
			p.t.Fatal(err)
		}
		return s
	}
	begin := state()
	p.eventually("driving", func() bool {
		s := state()
		return s.Tick >= begin.Tick+50 && s.Counters.DistanceM > begin.Counters.DistanceM+0.02
	})
	p.eventually("healthy", func() bool { return p.get("/healthz") == `{"ok":true}` })
}

// stop sends one signal and returns the exit code.
func (p *liveProcess) stop() int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case err := <-p.ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			p.t.Fatal(err)
		}
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(late):
		p.t.Fatalf("one signal did not stop it within %v", late)
		return -1
	}
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r, w
}

// fullPipe is a pipe in which there is no room for another byte.
func fullPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w = pipe(t)
	for _, piece := range []int{4096, 1} {
		junk := bytes.Repeat([]byte{'\n'}, piece)
		for n := 1; n > 0; {
			if err := w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			n, _ = w.Write(junk)
		}
	}
	return r, w
}

// reads collects what comes through a pipe, after what filled it.
func reads(r *os.File) <-chan string {
	text := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(r)
		text <- strings.TrimLeft(string(b), "\n")
	}()
	return text
}

const orderly = `"lifecycle_violations":0` // the summary of a robot that was stopped in order

// A robot whose log nobody reads ticks, drives and stops in order.
func TestStalledStderrHoldsNeitherTickNorStop(t *testing.T) {
	t.Parallel()
	out, stdout := pipe(t)
	_, stderr := fullPipe(t)
	p := startLive(t, stdout, stderr, "--summary", "json")
	p.drives()
	if code := p.stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if text := <-reads(out); !strings.Contains(text, orderly) {
		t.Errorf("no orderly stop: %q", text)
	}
}

// A log that is read again has every line that found room, up to the last one.
func TestStderrThatIsReadAgainHasEarlierLines(t *testing.T) {
	t.Parallel()
	out, stdout := pipe(t)
	diag, stderr := fullPipe(t)
	p := startLive(t, stdout, stderr, "--summary", "json")
	p.drives()
	text, summary := reads(diag), reads(out)
	if code := p.stop(); code != 0 || !strings.Contains(<-summary, orderly) {
		t.Errorf("no orderly stop, exit code %d", code)
	}
	lines := <-text
	for _, want := range []string{`msg="robotd `, "msg=ready", "msg=stopping", "msg=stopped"} {
		if !strings.Contains(lines, want) {
			t.Errorf("no %s in %q", want, lines)
		}
	}
}

// A robot whose log has no reader any more lives on, counts the lost lines and stops in order.
func TestClosedStderrDoesNotEndRobot(t *testing.T) {
	t.Parallel()
	out, stdout := pipe(t)
	diag, stderr := pipe(t)
	_ = diag.Close()
	p := startLive(t, stdout, stderr, "--summary", "json")
	p.drives()
	if text := p.get("/metrics"); !strings.Contains(text, "\nrobotd_log_lines_dropped_total ") || strings.Contains(text, "\nrobotd_log_lines_dropped_total 0\n") {
		t.Error("the metrics count no lost line")
	}
	if code := p.stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if text := <-reads(out); !strings.Contains(text, orderly) {
		t.Errorf("no orderly stop: %q", text)
	}
}

// A summary that nobody reads does not hold the end of the process, and neither does one without a reader.
func TestUnreadSummaryDoesNotHoldEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pipe func(*testing.T) (r, w *os.File)
		want string
	}{
		"stalled": {fullPipe, "robotd: nobody read the summary within"},
		"closed":  {pipe, "broken pipe"},
	} {
		t.Run(name, func(t *testing.T) {
			out, stdout := c.pipe(t)
			if name == "closed" {
				_ = out.Close()
			}
			diag, stderr := pipe(t)
			text := reads(diag)
			p := startLive(t, stdout, stderr, "--summary", "json")
			if code := p.stop(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			if lines := <-text; !strings.Contains(lines, "msg=stopped") || !strings.Contains(lines, c.want) {
				t.Errorf("no %q in %q", c.want, lines)
			}
		})
	}
}

// A trace without a reader ends the run with a reason, wherever the pipe stands on the command line.
func TestTraceWithoutReaderEndsRunWithReason(t *testing.T) {
	t.Parallel()
	for _, trace := range []string{"-", "/dev/stdout"} {
		t.Run(trace, func(t *testing.T) {
			out, stdout := pipe(t)
			_ = out.Close()
			var diag bytes.Buffer
			ctx, cancel := context.WithTimeout(t.Context(), late)
			defer cancel()
			c := exec.CommandContext(ctx, "robotd", "run", "--headless", "--for", "1000h", "--trace", trace)
			c.Stdout, c.Stderr = stdout, &diag
			_ = c.Run()
			_ = stdout.Close()
			if code := c.ProcessState.ExitCode(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			for _, want := range []string{"robotd: interrupted after ", "robotd: trace: write /dev/stdout: broken pipe"} {
				if !strings.Contains(diag.String(), want) {
					t.Errorf("no %q in %q", want, diag.String())
				}
			}
		})
	}
}

// A headless run that waits for the reader of its trace ends some time after one signal.
func TestUnreadTraceDoesNotOutliveSignal(t *testing.T) {
	t.Parallel()
	_, stdout := fullPipe(t)
	diag, stderr := pipe(t)
	ctx, cancel := context.WithTimeout(t.Context(), late)
	defer cancel()
	c := exec.CommandContext(ctx, "robotd", "run", "--headless", "--for", "1000h", "--trace", "-", "--log-level", "debug")
	c.Stdout, c.Stderr = stdout, stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = stdout.Close(), stderr.Close()
	if _, err := diag.Read(make([]byte, 1)); err != nil { // it runs, and hears signals
		t.Fatal(err)
	}
	text := reads(diag)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if lines := <-text; !strings.Contains(lines, "perhaps nobody reads its output") && !strings.Contains(lines, "interrupted after") {
		t.Errorf("no reason in the last lines: %q", lines[max(0, len(lines)-500):])
	}
}
