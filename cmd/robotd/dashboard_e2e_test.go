//go:build e2e

package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/metrics/promtest"
)

// A panel is what the test reads of one panel of a Grafana dashboard.
type panel struct {
	Title   string
	Targets []struct{ Expr string }
}

// dashboard reads the shipped dashboard.
func dashboard(t *testing.T) []panel {
	t.Helper()
	text, err := os.ReadFile("../../resources/dashboards/robotd.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Panels []panel }
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d.Panels
}

// seldom are the queries that select what does not occur in a short, healthy life; they must be understood, and have no value.
var seldom = []string{"robotd_delegations_refused_total", "robotd_misuses_total", "robotd_active_feature"}

// Every query of the dashboard has a value in a Prometheus that scraped a living robot, with classic and with native histograms.
func TestEveryQueryOfTheDashboardHasAValue(t *testing.T) {
	t.Parallel()
	robot := liveAddresses(t)
	panels := dashboard(t)
	for _, c := range []struct {
		name  string
		flags []string
	}{{"classic", nil}, {"native", []string{"--enable-feature=native-histograms"}}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := promtest.Start(t, robot.metrics, c.flags...)
			s.Expect("count(robotd_actor_up)", "12") // it was seen before a device fails
			breakRange(t, robot.page)
			asked := 0
			for _, p := range panels {
				for _, q := range p.Targets {
					asked++
					ask(t, s, p.Title, q.Expr)
				}
			}
			if asked < 30 {
				t.Errorf("only %d queries", asked)
			}
		})
	}
}

// breakRange takes the range sensor away for a second.
func breakRange(t *testing.T, page string) {
	t.Helper()
	resp, err := http.Post(page+"v1/fault", "application/json", strings.NewReader(`{"device": "range", "kind": "absent", "seconds": 1}`))
	if err != nil {
		t.Error(err)
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Error(resp.Status)
	}
}

// ask asks until the query has a value.
func ask(t *testing.T, s *promtest.Server, title, expr string) {
	t.Helper()
	query := strings.NewReplacer("$__rate_interval", "10s", "$instance", ".*").Replace(expr)
	optional := false
	for _, name := range seldom {
		optional = optional || strings.Contains(query, name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		values, err := s.Query(ctx, query)
		if err == nil && (len(values) > 0 || optional) {
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Errorf("%s: %s: no value (%v)", title, query, err)
			return
		}
	}
}
