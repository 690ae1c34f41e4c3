package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/cmd/robotd/robotmain"
)

func TestEachCommandHasItsPageWithItsFlags(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, time.Unix(1e9, 0).UTC()); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(text) < 200 {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
		return strings.ReplaceAll(string(text), `\-`, "-")
	}
	root, err := robotmain.Commands(robotmain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		page := read("man1/" + strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1")
		if pages++; !strings.Contains(page, "Sep 2001") || !strings.Contains(page, c.Short) {
			t.Errorf("the page of %s lacks its date or what it does", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(page, "--"+f.Name) {
				t.Errorf("the page of %s lacks --%s", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() && sub.Name() != "help" && sub.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk(root)
	if pages < 50 {
		t.Errorf("%d pages only", pages)
	}
	if page := read("man1/robotd-stop-motors.1"); !strings.Contains(strings.Join(strings.Fields(page), " "), "says so, does nothing and exits with 0") {
		t.Error("the page of stop-motors does not say how it ends on a simulated robot")
	}
	if page := read("man5/robotd.json.5"); !strings.Contains(page, "ROBOTD_METRICS_LISTEN") || !strings.Contains(page, "EXIT STATUS") {
		t.Error("the page of robotd.json lacks a setting")
	}
	for _, name := range []string{"robotd.bash", "_robotd", "robotd.fish"} {
		if !strings.Contains(read("completions/"+name), "__complete") {
			t.Errorf("%s does not ask robotd", name)
		}
	}
}
