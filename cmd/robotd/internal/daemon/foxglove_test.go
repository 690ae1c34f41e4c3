package daemon_test

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/daemon"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

// A client of the stream for Foxglove asks the robot by a service, with the checks of the control API.
func TestFoxgloveServicesGoTheWayOfRequests(t *testing.T) {
	page, metrics := listen(t)
	stream, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		_, err := daemon.Run(ctx, setuptest.Options(t, 1), daemon.Options{
			Control: page, Metrics: metrics, Foxglove: stream, FoxgloveControl: true, Ready: func(url string) { ready <- url },
		})
		done <- err
	}()
	<-ready
	limit, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	c := dialFoxglove(t, limit, stream.Addr())
	read := func(until string) string {
		t.Helper()
		for {
			_, data, err := c.Read(limit)
			if err != nil {
				t.Fatalf("%s: %v", until, err)
			}
			if strings.Contains(string(data), until) {
				return string(data)
			}
		}
	}
	services := read(`"advertiseServices"`)
	names := strings.Count(services, `"name":`)
	if names < 10 || strings.Contains(services, "detections") || !strings.Contains(services, `\"heading_rad\"`) {
		t.Errorf("%d services: %.300s", names, services)
	}
	at := strings.Index(services, `"name":"/fault"`)
	id := strings.Count(services[:at], `"name":`) + 1
	for body, want := range map[string]string{
		`{"device": "range", "kind": "nack", "seconds": 1}`: "range is nack for 1s",
		`{"device": "tof", "kind": "nack"}`:                 `"message":"`,
		`{"devise": "range"}`:                               `did you mean`,
	} {
		q := binary.LittleEndian.AppendUint32([]byte{2}, uint32(id))
		q = append(binary.LittleEndian.AppendUint32(q, 9), 4, 0, 0, 0, 'j', 's', 'o', 'n')
		if err := c.Write(limit, websocket.MessageBinary, append(q, body...)); err != nil {
			t.Fatal(err)
		}
		read(want)
	}
	foreign, err := http.NewRequestWithContext(limit, http.MethodGet, "http://"+stream.Addr().String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign.Host = "evil.example"
	resp, err := http.DefaultClient.Do(foreign)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("a request for evil.example is answered with %s", resp.Status)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, _, err := c.Read(context.Background()); err == nil {
		t.Error("the stream outlives the robot")
	}
}

func dialFoxglove(t *testing.T, ctx context.Context, at net.Addr) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.Dial(ctx, "ws://"+at.String(), &websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}})
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = c.CloseNow() })
	return c
}
