//go:build e2e

package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// streamFound is what the reference client prints.
type streamFound struct {
	Name, Answer, Failure                              string
	Capabilities, Topics, Services, Parameters, Errors []string
	Messages                                           map[string]int
}

// TestReferenceClientReadsTheStream installs Foxglove's client and has it subscribe, read parameters and ask the robot for something.
func TestReferenceClientReadsTheStream(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS("testdata/foxglove")); err != nil {
		t.Fatal(err)
	}
	command(t, work, "npm", "ci", "--prefer-offline", "--silent", "--no-audit", "--no-fund")
	var found streamFound
	if err := json.Unmarshal(command(t, work, "node", "stream.mjs", "ws://"+liveAddresses(t).foxglove), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Errors) > 0 || !strings.HasPrefix(found.Name, "robotd") || !slices.Contains(found.Capabilities, "services") {
		t.Errorf("%+v", found)
	}
	if len(found.Topics) < 20 || len(found.Services) < 10 || !slices.Contains(found.Parameters, "seed") {
		t.Errorf("%+v", found)
	}
	if !strings.Contains(found.Answer, `"ok":true`) || !strings.Contains(found.Failure, `did you mean "touch"?`) {
		t.Errorf("answer %s, failure %s", found.Answer, found.Failure)
	}
}
