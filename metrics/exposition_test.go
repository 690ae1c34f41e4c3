package metrics

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

var update = flag.Bool("update", false, "write README.md and testdata/scrape.txt anew")

// maxSeries is the budget of one robot with 60 behaviors.
const maxSeries = 1520

func get(t testing.TB, m *Metrics, accept string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, req)
	if w.Code != http.StatusOK {
		t.Fatalf("scrape answered %d: %s", w.Code, w.Body)
	}
	return w
}

func scrape(t testing.TB, m *Metrics) []byte {
	t.Helper()
	return get(t, m, "").Body.Bytes()
}

// lively is a robot that has used every family.
func lively(t testing.TB) *rig {
	t.Helper()
	r := newRig(t, chain("Base", "Greet", "Look"), shipped())
	r.updates["Base"] = delegateTo("Greet")
	r.updates["Greet"] = delegateTo("Look")
	for range 3 {
		r.step()
	}
	return r
}

// TestExpositionPassesTheLinter calls the linter itself: package testutil around it would need one more module.
func TestExpositionPassesTheLinter(t *testing.T) {
	problems, err := promlint.NewWithMetricFamilies(gather(t, lively(t).m)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "robotd_") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

var sampleValue = regexp.MustCompile(` \S+$`)

// TestExpositionMatchesTheGoldenFile compares names, types, help and labels. Values are masked; what the Go runtime and the process add
// changes with the toolchain and is left out.
func TestExpositionMatchesTheGoldenFile(t *testing.T) {
	var b strings.Builder
	for _, line := range strings.Split(string(scrape(t, lively(t).m)), "\n") {
		switch {
		case strings.HasPrefix(line, "# HELP robotd_"), strings.HasPrefix(line, "# TYPE robotd_"):
			b.WriteString(line + "\n")
		case strings.HasPrefix(line, "robotd_"):
			b.WriteString(sampleValue.ReplaceAllString(line, " V") + "\n")
		}
	}
	golden(t, "testdata/scrape.txt", b.String())
}

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s is stale; run go test -run %s -update and explain the difference in the commit\nline %d\n have %s\n want %s",
				file, t.Name(), i+1, at(w, i), at(g, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

func TestEveryFamilyIsExposedAndDescribed(t *testing.T) {
	described := map[string]Family{}
	for _, f := range Families() {
		described[f.Name] = f
		if f.Question == "" || f.Query == "" {
			t.Errorf("%s lacks its question or query", f.Name)
		}
	}
	for _, f := range gather(t, lively(t).m) {
		if !strings.HasPrefix(f.GetName(), "robotd_") {
			continue
		}
		d, ok := described[f.GetName()]
		if !ok {
			t.Errorf("%s is exposed and not described", f.GetName())
		}
		delete(described, f.GetName())
		if strings.ToLower(f.GetType().String()) != string(d.Type) {
			t.Errorf("%s is a %s, described as %s", f.GetName(), f.GetType(), d.Type)
		}
	}
	for name := range described {
		t.Errorf("%s is described and not exposed from the start", name)
	}
}

func TestSeriesStayWithinTheBudget(t *testing.T) {
	r := newRig(t, wide(59), shipped()) // with Base: 60
	r.step()
	series := 0
	for _, line := range strings.Split(string(scrape(t, r.m)), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			series++
		}
	}
	if series >= maxSeries {
		t.Errorf("%d series, the budget is %d", series, maxSeries)
	}
}

func TestOpenMetricsIsServedOnRequest(t *testing.T) {
	w := get(t, lively(t).m, "application/openmetrics-text; version=1.0.0")
	if ct := w.Header().Get("Content-Type"); !strings.HasPrefix(ct, "application/openmetrics-text") {
		t.Errorf("Content-Type is %s", ct)
	}
	if !strings.HasSuffix(w.Body.String(), "# EOF\n") {
		t.Error("the exposition has no end")
	}
}

func TestScrapesInFlightAreLimited(t *testing.T) {
	m := New(shipped())
	blocked := make(chan struct{})
	entered := make(chan struct{}, maxScrapes+1)
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "robotd_test_blocked", Help: "Blocks."}, func() float64 {
		entered <- struct{}{}
		<-blocked
		return 0
	}))
	ask := func() <-chan int {
		code := make(chan int, 1)
		go func() {
			w := httptest.NewRecorder()
			m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
			code <- w.Code
		}()
		return code
	}
	var admitted []<-chan int
	for range maxScrapes {
		admitted = append(admitted, ask())
		<-entered
	}
	select {
	case code := <-ask():
		if code != http.StatusServiceUnavailable {
			t.Errorf("scrape %d answered %d, want 503", maxScrapes+1, code)
		}
	case <-entered:
		t.Errorf("scrape %d was admitted", maxScrapes+1)
	}
	close(blocked)
	for _, code := range admitted {
		if c := <-code; c != http.StatusOK {
			t.Errorf("an admitted scrape answered %d", c)
		}
	}
}

func TestTwoMetricSetsAreIndependent(t *testing.T) {
	a, b := New(shipped()), New(shipped())
	a.tick.ticks.Inc()
	if got := valueOf(t, b, "robotd_ticks_total"); got != 0 {
		t.Errorf("ticks of one robot show in another: %v", got)
	}
}

func ExampleFamilies() {
	f := Families()[0]
	fmt.Println(f.Name, f.Type)
	// Output: robotd_tick_duration_seconds histogram
}
