package daemon_test

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

// A service manager is told when the robot lives, what it does, that it reads its files again, and that it stops, in this order.
func TestServiceManagerIsToldOfLifeReloadAndStop(t *testing.T) {
	name := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	t.Setenv("NOTIFY_SOCKET", name)
	t.Setenv("WATCHDOG_PID", "")
	t.Setenv("WATCHDOG_USEC", "400000")
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	until := func(want string) {
		t.Helper()
		b := make([]byte, 4096)
		for {
			n, err := c.Read(b)
			if err != nil {
				t.Fatalf("%q is never told: %v", want, err)
			}
			if strings.Contains(string(b[:n]), want) {
				return
			}
		}
	}
	page, metrics := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	reload, done := make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := daemon.Run(ctx, setuptest.Options(t, 1), daemon.Options{Control: page, Metrics: metrics, Reload: reload})
		done <- err
	}()
	until("STATUS=starting")
	until("READY=1")
	until("WATCHDOG=1\nSTATUS=")
	reload <- struct{}{}
	until("RELOADING=1\nMONOTONIC_USEC=")
	until("READY=1")
	until("WATCHDOG=1")
	cancel()
	until("STOPPING=1")
	if err := <-done; err != nil {
		t.Error(err)
	}
}
