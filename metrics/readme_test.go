package metrics

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"text/template"
)

// TestReadmeMatchesTheFamilies makes README.md from Families and compares.
func TestReadmeMatchesTheFamilies(t *testing.T) {
	alerts, err := os.ReadFile("../resources/rules/robotd.yml")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/readme.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	page, err := template.New("readme").Funcs(template.FuncMap{
		"alerts": func() string { return string(alerts) },
		"labels": func(names []string) string {
			if len(names) == 0 {
				return "none"
			}
			return "`" + strings.Join(names, "`, `") + "`"
		},
		"code": func(query string) string { return "`" + strings.ReplaceAll(query, "|", `\|`) + "`" },
	}).Parse(string(source))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := page.Execute(&b, Families()); err != nil {
		t.Fatal(err)
	}
	golden(t, "README.md", b.String())
}

var metricName = regexp.MustCompile(`robotd_[a-z_]+`)

// TestQueriesAndAlertsNameMetricsThatExist reads them as text; the end-to-end test has promtool parse them.
func TestQueriesAndAlertsNameMetricsThatExist(t *testing.T) {
	known := map[string]bool{}
	for _, f := range Families() {
		known[f.Name] = true
		if f.Type == Histogram {
			known[f.Name+"_bucket"], known[f.Name+"_sum"], known[f.Name+"_count"] = true, true, true
		}
	}
	alerts, err := os.ReadFile("../resources/rules/robotd.yml")
	if err != nil {
		t.Fatal(err)
	}
	texts := append(dashboardQueries(t), string(alerts))
	for _, f := range Families() {
		if !strings.Contains(f.Query, f.Name) {
			t.Errorf("%s: its query does not ask for it: %s", f.Name, f.Query)
		}
		texts = append(texts, f.Query)
	}
	found := 0
	for _, text := range texts {
		for _, name := range metricName.FindAllString(text, -1) {
			found++
			if !known[name] {
				t.Errorf("%s does not exist, in: %s", name, text)
			}
		}
	}
	if found < len(known)/2 {
		t.Errorf("only %d names found", found)
	}
}

// dashboardQueries are the queries of the shipped dashboard.
func dashboardQueries(t *testing.T) (queries []string) {
	t.Helper()
	text, err := os.ReadFile("../resources/dashboards/robotd.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			queries = append(queries, target.Expr)
		}
	}
	if len(queries) < 30 {
		t.Fatalf("only %d queries", len(queries))
	}
	return queries
}

// A panel of a robot that does not answer is empty: a value made up for it, such as 0 devices down, would look well.
func TestDashboardMakesUpNoValues(t *testing.T) {
	for _, query := range dashboardQueries(t) {
		if strings.Contains(query, "vector(") {
			t.Errorf("has a value although nothing answers: %s", query)
		}
	}
}
