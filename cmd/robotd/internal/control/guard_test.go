package control_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

func TestGuardsRefuseHostileRequests(t *testing.T) {
	s := newStand(t)
	_, port, _ := net.SplitHostPort(s.address)
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	for name, c := range map[string]struct {
		method, path, body string
		spoil              func(*http.Request)
		status             int
	}{
		"rebound name":              {"POST", "/v1/cancel", "{}", host("evil.example:" + port), 403},
		"rebound name reads":        {"GET", "/v1/state", "", host("evil.example:" + port), 403},
		"rebound name, stream":      {"GET", "/v1/events", "", host("evil.example:" + port), 403},
		"rebound name, page":        {"GET", "/", "", host("evil.example"), 403},
		"look-alike name":           {"POST", "/v1/cancel", "{}", host("127.0.0.1.evil.example:" + port), 403},
		"other port":                {"POST", "/v1/cancel", "{}", host("127.0.0.1:1"), 403},
		"foreign origin":            {"POST", "/v1/cancel", "{}", header("Origin", "http://evil.example"), 403},
		"foreign origin reads":      {"GET", "/v1/events", "", header("Origin", "http://evil.example"), 403},
		"origin of another port":    {"POST", "/v1/cancel", "{}", header("Origin", "http://127.0.0.1:1"), 403},
		"opaque origin":             {"POST", "/v1/cancel", "{}", header("Origin", "null"), 403},
		"secure twin origin":        {"POST", "/v1/cancel", "{}", header("Origin", "https://127.0.0.1:"+port), 403},
		"cross-site, no origin":     {"POST", "/v1/estop", "{}", header("Sec-Fetch-Site", "cross-site"), 403},
		"no-cors stream":            {"GET", "/v1/events", "", header("Sec-Fetch-Site", "cross-site"), 403},
		"no-cors, other port":       {"GET", "/v1/events", "", header("Sec-Fetch-Site", "same-site"), 403},
		"POST where GET belongs":    {"POST", "/v1/state", "{}", nil, 405},
		"form of another site":      {"POST", "/v1/cancel", "a=b", header("Content-Type", "application/x-www-form-urlencoded"), 415},
		"text form of another site": {"POST", "/v1/cancel", "{}", header("Content-Type", "text/plain"), 415},
		"stop by another site":      {"POST", "/v1/estop", "", header("Origin", "http://evil.example"), 403},
		"stop by a rebound name":    {"POST", "/v1/estop", "", host("evil.example:" + port), 403},
		"stop by GET":               {"GET", "/v1/estop", "", nil, 405},
		"no content type":           {"POST", "/v1/cancel", "{}", func(r *http.Request) { r.Header.Del("Content-Type") }, 415},
		"endless body":              {"POST", "/v1/intent", `{"name":"` + strings.Repeat("x", 70_000) + `"}`, nil, 413},
		"GET where POST belongs":    {"GET", "/v1/cancel", "", nil, 405},
		"no such path":              {"POST", "/v1/nosuch", "{}", nil, 404},
		"POST to the page":          {"POST", "/index.html", "{}", nil, 405},
		"out of the page's tree":    {"GET", "/../../etc/passwd", "", nil, 404},
	} {
		t.Run(name, func(t *testing.T) {
			status, a, _ := s.send(c.method, c.path, c.body, c.spoil)
			if status != c.status || a.OK {
				t.Errorf("status %d, answer %+v; want status %d", status, a, c.status)
			}
		})
	}
	select {
	case call := <-s.calls:
		t.Errorf("a hostile request reached the robot: %s", call)
	default:
	}
}

func TestGuardsPassOwnRequests(t *testing.T) {
	s := newStand(t)
	_, port, _ := net.SplitHostPort(s.address)
	for name, spoil := range map[string]func(*http.Request){
		"plain":        nil,
		"localhost":    func(r *http.Request) { r.Host = "localhost:" + port },
		"same origin":  header("Origin", "http://127.0.0.1:"+port),
		"same site":    header("Sec-Fetch-Site", "same-origin"),
		"with charset": header("Content-Type", "application/json; charset=utf-8"),
	} {
		if status, a, _ := s.send("POST", "/v1/cancel", "{}", spoil); status != 200 || !a.OK || <-s.calls != "cancel" {
			t.Errorf("%s: status %d, %+v", name, status, a)
		}
	}
}

// The emergency stop takes any content type and any body, also one that is announced and never sent.
func TestEmergencyStopInsistsOnNothing(t *testing.T) {
	s := newStand(t)
	for name, c := range map[string]struct {
		body  string
		spoil func(*http.Request)
	}{
		"no content type":       {"", func(r *http.Request) { r.Header.Del("Content-Type") }},
		"what curl -d sends":    {"now", header("Content-Type", "application/x-www-form-urlencoded")},
		"unreadable type":       {"{}", header("Content-Type", ";;")},
		"endless body":          {strings.Repeat("x", 1<<20), nil},
		"from the page":         {"{}", header("Origin", "http://"+s.address)},
		"chunks without an end": {"", func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(blocked{r.Context()}), -1 }},
	} {
		if status, a, _ := s.send("POST", "/v1/estop", c.body, c.spoil); status != 200 || !a.OK || a.Stop == 0 || !strings.Contains(a.Text, "the motors are switched off") || <-s.calls != "estop" {
			t.Errorf("%s: status %d, %+v", name, status, a)
		}
	}
}

// A client that wants its connection to end with the answer reads that answer and then its end, although nobody read its body: the reset
// by which the system tells of unread bytes came first.
func TestAnswerComesBeforeTheEndOfTheConnection(t *testing.T) {
	s := newStand(t)
	for _, path := range []string{"/v1/estop", "/v1/none"} {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Repeat("x", 128<<10)
		_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", path, s.address, len(body)+1, body)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		answer, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 ") {
			t.Errorf("%s: %q, then %v", path, answer, err)
		}
		_ = c.Close()
	}
}

// A GET that announces a body gets an answer and holds no stream: the server would wait for that body before the first event, without end.
func TestBodyOfGetHoldsNoStream(t *testing.T) {
	s := newStand(t)
	for _, path := range []string{"/v1/events", "/v1/watch", "/v1/state"} {
		for _, length := range []string{"Content-Length: 1", "Transfer-Encoding: chunked"} {
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.address)
			if err != nil {
				t.Fatal(err)
			}
			_, err = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n", path, s.address, length)
			line, readErr := bufio.NewReader(c).ReadString('\n')
			if err != nil || readErr != nil || !strings.Contains(line, " 400 ") {
				t.Errorf("%s, %s: %q, %v, %v", path, length, line, err, readErr)
			}
			_ = c.Close()
		}
	}
	if s.feed.Wanted() {
		t.Error("a stream is held")
	}
}

// That holds for each listener: a scrape has one of few places until its answer has left.
func TestBodyOfGetHoldsNoPlaceOnAnyListener(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 10)
	page := strings.Repeat("x", 10_000) // more than the server keeps before it looks at the body
	server, gate := control.Harden(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method
		_, _ = io.WriteString(w, page)
	})}, l, 8, "metrics", slog.New(slog.DiscardHandler))
	done := make(chan error, 1)
	go func() { done <- server.Serve(gate) }()
	defer func() { _ = server.Close(); <-done }()
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(c, "%s /metrics HTTP/1.1\r\nHost: robot\r\nContent-Length: 1\r\n\r\n", method)
		line, readErr := bufio.NewReader(c).ReadString('\n')
		if err != nil || readErr != nil || !strings.Contains(line, " 400 ") {
			t.Errorf("%s: %q, %v, %v", method, line, err, readErr)
		}
		_ = c.Close()
	}
	if len(asked) > 0 {
		t.Errorf("%s got through", <-asked)
	}
}

// blocked is a body that never comes, until its request ends.
type blocked struct{ ctx context.Context }

func (b blocked) Read([]byte) (int, error) {
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}

func TestResponsesForbidFramesAndForeignScripts(t *testing.T) {
	s := newStand(t)
	for _, path := range []string{"/", "/app.js", "/v1/faults", "/healthz"} {
		status, _, h := s.send("GET", path, "", nil)
		csp := h.Get("Content-Security-Policy")
		if status != 200 || !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: status %d, policy %q", path, status, csp)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: content may be sniffed", path)
		}
	}
}

// Connections that ask nothing take neither the place of a stream nor that of the emergency stop: those beyond the limit are closed.
func TestHeldConnectionsKeepNobodyOut(t *testing.T) {
	s := newStand(t)
	s.publish()
	lines, body, _ := s.open(t.Context())
	defer func() { _ = body.Close() }()
	if !lines.Scan() {
		t.Fatal("no stream")
	}
	held := make([]net.Conn, 3*control.MaxControlConnections)
	for i := range held {
		c, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		held[i] = c
		if _, err := fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", s.address); err != nil {
			t.Fatal(err)
		}
	}
	if status, a, _ := s.send("POST", "/v1/estop", "", nil); status != 200 || !a.OK || <-s.calls != "estop" {
		t.Errorf("status %d, %+v", status, a)
	}
	ends := make(chan error, len(held))
	for _, c := range held {
		_ = c.SetReadDeadline(time.Now().Add(30 * time.Second)) // half of the time for which the server keeps them
		go func() {
			_, err := io.Copy(io.Discard, c)
			ends <- err
		}()
	}
	for n := range 2 * control.MaxControlConnections {
		if err := <-ends; errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%d of %d connections were closed", n, len(held))
		}
	}
	for range 10 {
		if !lines.Scan() {
			t.Fatal("the stream has ended")
		}
	}
}
