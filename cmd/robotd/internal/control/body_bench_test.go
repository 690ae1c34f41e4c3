package control_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// maxBody is the longest body that the API reads.
const maxBody = 64 << 10

// many repeats a text with growing numbers until it would not fit, between two ends.
func many(begin, each, end string) string {
	b := strings.Builder{}
	b.WriteString(begin)
	for n := 0; ; n++ {
		next := fmt.Sprintf(each, n)
		if n > 0 {
			next = "," + next
		}
		if b.Len()+len(next)+len(end) > maxBody {
			return b.String() + end
		}
		b.WriteString(next)
	}
}

// long repeats a text until it would not fit, between two ends.
func long(begin, each, end string) string {
	return begin + strings.Repeat(each, (maxBody-len(begin)-len(end))/len(each)) + end
}

// nasty are bodies of nearly the greatest length that ask for much work.
func nasty() map[string][2]string {
	const data = `{"name":"x","data":{`
	return map[string][2]string{
		"many keys":            {"/v1/intent", many(data, `"%d":0`, `}}`)},
		"many escaped keys":    {"/v1/intent", many(data, `"\u0061%d":0`, `}}`)},
		"many empty objects":   {"/v1/intent", many(data, `"%d":{}`, `}}`)},
		"many string values":   {"/v1/intent", many(data, `"%d":"\n"`, `}}`)},
		"twice at the end":     {"/v1/intent", many(data, `"%d":0`, `,"0":0}}`)},
		"objects in an object": {"/v1/intent", many(data+`"k":{`, `"%d":{"a":0}`, `}}}`)},
		"arrays of objects":    {"/v1/intent", many(data+`"k":[`, `{"a":0,"b":0,"c":%d}`, `]}}`)},
		"escaped in arrays":    {"/v1/intent", many(data+`"k":[`, `{"\u0061%d":0}`, `]}}`)},
		"empty objects":        {"/v1/intent", long(data+`"k":[{}`, `,{}`, `]}}`)},
		"many empty names":     {"/v1/detections", many(`{"faces":[`, `{"name":"%d"}`, `]}`)},
		"deep":                 {"/v1/intent", long(`{"name":`, `[`, ``)},
		"deep and many":        {"/v1/intent", many(data+`"k":[`, `[[[[[[[[[[%d]]]]]]]]]]`, `]}}`)},
		"one long string":      {"/v1/intent", long(`{"name":"`, `x`, `"}`)},
		"one escaped string":   {"/v1/intent", long(`{"name":"`, `\u00e9`, `"}`)},
		"bad surrogates":       {"/v1/intent", long(`{"name":"`, `\ud800`, `"}`)},
		"bad UTF-8":            {"/v1/intent", long(`{"name":"`, "\xff", `"}`)},
		"one long key":         {"/v1/intent", long(`{"`, `n`, `":0}`)},
		"one long number":      {"/v1/world", long(`{"act":"place","x_mm":`, `9`, `}`)},
		"one long fraction":    {"/v1/world", long(`{"act":"place","x_mm":0.`, `9`, `}`)},
		"many long numbers":    {"/v1/intent", many(data, `"%d":123456789012345678901234567890e-300`, `}}`)},
		"near misses":          {"/v1/detections", many(`{`, `"face%d":0`, `}`)},
		"many faces":           {"/v1/detections", many(`{"faces":[`, `{"id":%d}`, `]}`)},
		"spaces":               {"/v1/intent", long(`{"name":"x"`, " ", `}`)},
		"many commas":          {"/v1/intent", long(data, `,`, `}}`)},
		"nulls":                {"/v1/detections", long(`{"faces":[null`, `,null`, `]}`)},
		"unknown act":          {"/v1/world", long(`{"act":"pickupp`, `p`, `"}`)},
	}
}

// idle is a robot that does nothing.
type idle struct{ recorder }

func (*idle) Hear(context.Context, control.Message) (string, error) { return "done", nil }

func (*idle) Intent(context.Context, string, map[string]string) (string, error) { return "done", nil }

func (*idle) Act(context.Context, control.Act) (string, error) { return "done", nil }

func (*idle) Detect(context.Context, control.Detections) (string, error) { return "done", nil }

// used is the processor time of this process so far, its garbage collector's included.
func used(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func (*idle) EStop() uint64 { return 1 }

// Any body costs at most 5 ms of processor time.
func BenchmarkNastyBodies(b *testing.B) {
	l, err := control.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	h := control.NewServer(l, &idle{}, fstest.MapFS{}, slog.New(slog.DiscardHandler)).Handler()
	for name, c := range nasty() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			begin := used(b)
			defer func() { b.ReportMetric(float64(used(b)-begin)/float64(b.N)/1e6, "cpu-ms/op") }()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, "http://"+l.Addr().String()+c[0], strings.NewReader(c[1]))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				_, _ = io.Copy(io.Discard, w.Body)
				if w.Code == http.StatusForbidden || w.Code == http.StatusRequestEntityTooLarge {
					b.Fatal(strconv.Itoa(w.Code))
				}
			}
		})
	}
}

// An emergency stop while a thousand connections are held, each in the middle of its header or its body.
func BenchmarkStopBesideHeldConnections(b *testing.B) {
	l, err := control.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := control.NewServer(l, &idle{}, fstest.MapFS{}, slog.New(slog.DiscardHandler))
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	defer func() {
		s.Close()
		if err := <-served; err != nil {
			b.Error(err)
		}
	}()
	for n := range 1000 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		_, _ = io.WriteString(c, []string{"GET / HTTP/1.1\r\n", "POST /v1/cancel HTTP/1.1\r\nHost: " + l.Addr().String() + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{"}[n%2])
	}
	c, err := control.NewClient(l.Addr().String(), time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	worst := time.Duration(0)
	for b.Loop() {
		begin := time.Now()
		if _, err := c.Post(b.Context(), "/v1/estop", struct{}{}); err != nil {
			b.Fatal(err)
		}
		worst = max(worst, time.Since(begin))
	}
	b.ReportMetric(float64(worst.Microseconds())/1e3, "worst-ms")
}
