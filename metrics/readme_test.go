package metrics

import (
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
	texts := []string{string(alerts)}
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
