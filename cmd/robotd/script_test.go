package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/robotd/robotd/cmd/robotd/internal/config"
)

func TestMain(m *testing.M) {
	testscript.Main(withState{m}, map[string]func(){"robotd": main})
}

// withState runs the tests with a state folder of their own and without a configuration file, so that no robot of theirs writes into the
// folder of the user, or lives as he configured his.
type withState struct{ m *testing.M }

func (w withState) Run() int {
	dir, err := os.MkdirTemp("", "robotd-state")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		err = errors.Join(os.Unsetenv("STATE_DIRECTORY"), os.Setenv("XDG_STATE_HOME", dir), os.Setenv(config.FileVariable, config.None))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", sideBySide)
	}
	defer func() {
		for _, end := range ends {
			end()
		}
	}()
	return w.m.Run()
}

// sideBySide is how many tests run at a time. Most wait for a robot that lives in real time, whatever the number of processors.
const sideBySide = "5"

// ends are called after the last test.
var (
	ends   []func()
	endsMu sync.Mutex
)

// endWith adds functions that are called after the last test.
func endWith(f ...func()) {
	endsMu.Lock()
	defer endsMu.Unlock()
	ends = append(ends, f...)
}

// TestScripts runs the command line as users do; each file is one subject.
// Rules: 6.3/CreateBehaviorTreeHTML, 6.3/DumpBehaviorTransitionsToFile, DT-T02, data/1.1a, data/1.1b, data/1.1c, data/1.2b, data/1.2c.
// Rules: data/1.2d, data/1.4g, data/1.8a, data/1.10a, data/1.10f, data/1.11g, data/1.11k, data/1.11m, data/2.8b, data/6a, data/6b, data/6c.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv(config.FileVariable, config.None)
			for _, name := range []string{"PAGE", "METRICS", "NOBODY"} {
				address, err := freeAddress()
				if err != nil {
					return err
				}
				e.Setenv(name, address)
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "ready": ready, "until": until, "occupy": occupy, "hold": hold,
		},
	})
}

// tried counts the ports that freeAddress looked at.
var tried atomic.Int64

// freeAddress returns a loopback address that no process listens on, of a port that the kernel gives to nobody who does not ask for it,
// and that no other call returns: tests run side by side.
func freeAddress() (string, error) {
	const first, count = 10000, 20000 // below Linux's own range
	var err error
	for range count {
		var l net.Listener
		port := first + (int64(os.Getpid())*131+tried.Add(1))%count
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", err
}

// exits implements the script command `exits CODE COMMAND…`: the command must end with this code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	var exit interface{ ExitCode() int }
	switch {
	case errors.As(err, &exit):
		code = string(rune('0' + exit.ExitCode()))
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// ready implements `ready ADDRESS`: it waits until the daemon there reports that it is ready.
func ready(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ready ADDRESS")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+args[0]+"/readyz", nil)
		ts.Check(err)
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			ts.Fatalf("%s did not become ready: %v", args[0], err)
		}
	}
}

// until implements `until PATTERN COMMAND…`: it repeats a command until its output matches.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until PATTERN COMMAND…")
	}
	pattern, err := regexp.Compile(args[0])
	ts.Check(err)
	end := time.Now().Add(late)
	for {
		ts.Check(ts.Exec(args[1], args[2:]...))
		if pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("its output never matches %s", args[0])
		}
	}
}

// occupy implements `occupy ADDRESS`: it listens there until the script ends.
func occupy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: occupy ADDRESS")
	}
	l, err := net.Listen("tcp", args[0])
	ts.Check(err)
	ts.Defer(func() { _ = l.Close() })
}

// hold implements `hold ADDRESS N`: it opens N connections there, begins a request on each, and holds them until the script ends.
func hold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hold ADDRESS N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	for range n {
		c, err := net.Dial("tcp", args[0])
		ts.Check(err)
		ts.Defer(func() { _ = c.Close() })
		_, _ = c.Write([]byte("GET / HTTP/1.1\r\n")) // it fails if the connection is closed already
	}
}
