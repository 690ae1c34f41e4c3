package control_test

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

func TestOperatorRequestsAreLoggedUntilTheyFlood(t *testing.T) {
	var out bytes.Buffer
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	h := control.NewServer(l, &recorder{calls: make(chan string, 200)}, fstest.MapFS{}, slog.New(slog.NewTextHandler(&out, nil))).Handler()
	post := func(path, body string) {
		q := httptest.NewRequest(http.MethodPost, "http://"+l.Addr().String()+path, strings.NewReader(body))
		q.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(httptest.NewRecorder(), q)
	}
	post("/v1/detections", `{}`)
	if out.Len() > 0 {
		t.Errorf("an image is told of: %s", out.String())
	}
	post("/v1/wake", `{}`)
	if !strings.Contains(out.String(), `level=INFO msg=operator request=wake`) {
		t.Errorf("no line of the request: %s", out.String())
	}
	post("/v1/fault", `{"device": "imu", "kind": "nack", "seconds": -1}`)
	if !strings.Contains(out.String(), `msg="operator is refused" request=fault why="`) {
		t.Errorf("no line of the refusal: %s", out.String())
	}
	for range 100 {
		post("/v1/wake", `{}`)
	}
	if n := strings.Count(out.String(), "\n"); n != 20 {
		t.Errorf("%d lines of 102 requests", n)
	}
}

// The log takes the beginning of a text that a client made long.
func TestLogTakesLittleOfLongTexts(t *testing.T) {
	var out bytes.Buffer
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	h := control.NewServer(l, &recorder{calls: make(chan string, 9)}, fstest.MapFS{}, slog.New(slog.NewTextHandler(&out, nil))).Handler()
	long := strings.Repeat("ä", 30_000)
	for path, body := range map[string]string{
		"/v1/intent":       `{"name": "x", "data": {"` + long + `": {}}}`,
		"/v1/actions/do":   `{"action": "Say", "params": {"` + long + `": {}}}`,
		"/v1/run-behavior": `{"id": "` + long + `"}`, // the answer of the recorder has it
	} {
		out.Reset()
		q := httptest.NewRequest(http.MethodPost, "http://"+l.Addr().String()+path, strings.NewReader(body))
		q.Header.Set("Content-Type", "application/json")
		h.ServeHTTP(httptest.NewRecorder(), q)
		if text := out.String(); len(text) > 1000 || !strings.Contains(text, "…") || !utf8.ValidString(text) {
			t.Errorf("%s: %d bytes: %.300s", path, len(text), text)
		}
	}
}
