package notify_test

import (
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/cmd/robotd/internal/notify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// manager is a service manager that listens on the socket of $NOTIFY_SOCKET.
func manager(t *testing.T, watchdog time.Duration) *net.UnixConn {
	t.Helper()
	name := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	t.Setenv("NOTIFY_SOCKET", name)
	t.Setenv("WATCHDOG_PID", "")
	t.Setenv("WATCHDOG_USEC", strconv.FormatInt(watchdog.Microseconds(), 10))
	return c
}

// told is the next datagram; "" if none comes.
func told(t *testing.T, c *net.UnixConn, within time.Duration) string {
	t.Helper()
	b := make([]byte, 4096)
	_ = c.SetReadDeadline(time.Now().Add(within))
	n, err := c.Read(b)
	if err != nil {
		return ""
	}
	return string(b[:n])
}

func expect(t *testing.T, c *net.UnixConn, want string) {
	t.Helper()
	if got := told(t, c, 5*time.Second); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

var begin = time.Unix(1e9, 0)

// tick is a completed tick some time after the begin.
func tick(n uint64, at time.Duration) event.Tick { return event.Tick{N: n, Start: begin.Add(at)} }

func TestWithoutServiceManagerNothingIsTold(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	n := notify.New(slog.New(slog.DiscardHandler), nil)
	if n != nil {
		t.Error("a notifier for nobody")
	}
	n.Ready()
	n.Reloading()
	n.Stopping()
	n.Close()
}

func TestCompletedTicksFeedWatchdogAndNothingElseDoes(t *testing.T) {
	c := manager(t, 2*time.Second) // fed every half second
	n := notify.New(slog.New(slog.DiscardHandler), func() string { return "Exploring:\n turning away" })
	expect(t, c, "STATUS=starting")
	n.Ready()
	expect(t, c, "READY=1")
	n.ObserveTick(tick(1, 0), nil, nil)
	expect(t, c, "WATCHDOG=1\nSTATUS=Exploring: turning away")
	for i := range 8 { // too soon
		n.ObserveTick(tick(uint64(2+i), time.Duration(i+1)*60*time.Millisecond), nil, nil)
	}
	n.ObserveTick(tick(10, 540*time.Millisecond), nil, nil)
	expect(t, c, "WATCHDOG=1") // the status line only once a second
	n.ObserveTick(tick(10, 2*time.Second), nil, nil)
	n.ObserveTick(tick(11, 1100*time.Millisecond), nil, nil)
	expect(t, c, "WATCHDOG=1\nSTATUS=Exploring: turning away")
	if got := told(t, c, 700*time.Millisecond); got != "" { // a second without a tick
		t.Errorf("without a tick the manager is told %q", got)
	}
	n.Close()
	n.ObserveTick(tick(12, time.Minute), nil, nil)
	n.Ready()
	if got := told(t, c, 50*time.Millisecond); got != "" {
		t.Errorf("after the end the manager is told %q", got)
	}
}

func TestReloadAndStopAreToldInTheirOrder(t *testing.T) {
	c := manager(t, 0)
	n := notify.New(slog.New(slog.DiscardHandler), func() string { return strings.Repeat("ä", 1000) })
	expect(t, c, "STATUS=starting")
	n.Reloading()
	got := told(t, c, 5*time.Second)
	usec, err := strconv.ParseInt(strings.TrimPrefix(got, "RELOADING=1\nMONOTONIC_USEC="), 10, 64)
	if err != nil || usec <= 0 {
		t.Errorf("told %q: %v", got, err)
	}
	n.Ready()
	expect(t, c, "READY=1")
	n.ObserveTick(tick(1, 0), nil, nil)
	expect(t, c, "WATCHDOG=1\nSTATUS="+strings.Repeat("ä", 200)+"…")
	n.Stopping()
	n.Close()
	expect(t, c, "STOPPING=1\nSTATUS=stopping")
}

// A manager that does not read holds nobody: the kernel queues a few datagrams, then a send waits.
func TestManagerThatDoesNotReadHoldsNobody(t *testing.T) {
	c := manager(t, time.Second)
	n := notify.New(slog.New(slog.DiscardHandler), func() string { return "x" })
	start := time.Now()
	for i := range 10_000 {
		n.ObserveTick(tick(uint64(i+1), time.Duration(i)*time.Second), nil, nil)
		n.Reloading()
	}
	n.Close()
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	for told(t, c, 200*time.Millisecond) != "" { // lets the goroutine end
	}
}
