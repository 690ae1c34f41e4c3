//go:build e2e

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A lookup asks the language service about a file: what it offers where the cursor (a bar) stands, or without one what it marks.
type lookup struct {
	File string `json:"file"`
	Text string `json:"text"`
	At   *int   `json:"at,omitempty"`
}

// TestEditorCompletesAndMarksBehaviorFiles asks the JSON language service of VS Code about files of a folder that init wrote.
func TestEditorCompletesAndMarksBehaviorFiles(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	if err := os.CopyFS(work, os.DirFS("testdata/jsonls")); err != nil {
		t.Fatal(err)
	}
	command(t, work, "npm", "ci", "--prefer-offline", "--silent", "--no-audit", "--no-fund")
	command(t, work, "robotd", "init", "robot")
	behavior := func(text string) lookup {
		return request(filepath.Join(work, "robot", "behaviors", "freeplay", "X.json"), `{ "$schema": "../../schema/behavior.schema.json", `+text+` }`)
	}
	gate := func(condition string) lookup {
		return behavior(`"behaviorClass": "Wait", "behaviorID": "X", "wantsToBeActivatedCondition": ` + condition)
	}
	cases := []struct {
		ask  lookup
		want []string // parts of what is offered or marked
		not  []string
	}{
		{behavior(`"behaviorClass": "|"`), []string{`"GreetFace"`, `"Wait"`}, nil},
		{behavior(`"behaviorClass": "GreetFace", "behaviorID": "X", "|"`), []string{"cooldownPerFace_s", "maxFaceDist_mm", "doing", "wantsToBeActivatedCondition"}, []string{"behaviorName", "driveOffChargerBehavior"}},
		{behavior(`"behaviorClass": "DispatcherQueue", "behaviorID": "X", "behaviors": ["|"]`), []string{`"VoiceDance"`, `"GoHome"`}, nil},
		{behavior(`"behaviorClass": "Wait", "behaviorID": "X", "resetTimers": ["|"]`), []string{`"LastVoiceCommand"`}, nil},
		{behavior(`"behaviorClass": "Wait", "behaviorID": "X", "respondToUserIntents": [{"type": "|"}]`), []string{`"dance"`}, nil},
		{gate(`{"conditionType": "|"}`), []string{`"FaceKnown"`, `"Compound"`}, nil},
		{gate(`{"conditionType": "FaceKnown", "|"}`), []string{"maxFaceDist_mm", "mustBeNamed"}, []string{"targetBatteryLevel"}},
		{gate(`{"conditionType": "BatteryLevel", "targetBatteryLevel": "|"}`), []string{`"Low"`}, nil},
		{behavior(`"behaviorClass": "Wait", "behaviorID": "X"`), nil, []string{":"}},
		{behavior(`"behaviorClass": "GreetFace", "behaviorID": "X", "cooldown": 3`), []string{`Missing property "cooldownPerFace_s"`, "Property cooldown is not allowed"}, nil},
		{behavior(`"behaviorClass": "Greet", "behaviorID": "X", "cooldown": 3`), []string{"Value is not accepted"}, []string{"cooldown"}},
		{gate(`{"conditionType": "BatteryLevel", "targetBatteryLevel": "low"}`), []string{`Valid values: "Unknown", "Low"`}, nil},
		{
			request(filepath.Join(work, "robot", "behavior_config.json"), `{ "$schema": "schema/behavior_config.schema.json", "normalBaseBehavior": "ModeSelectr" }`),
			[]string{"Value is not accepted", `Missing property "fallbackBehavior"`},
			nil,
		},
	}
	asks := make([]lookup, len(cases))
	for i, c := range cases {
		asks[i] = c.ask
	}
	for i, found := range answers(t, work, asks) {
		text := strings.Join(found, "\n")
		for _, want := range cases[i].want {
			if !strings.Contains(text, want) {
				t.Errorf("%s\nanswers %q without %q", asks[i].Text, found, want)
			}
		}
		for _, not := range cases[i].not {
			if slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, not) }) {
				t.Errorf("%s\nanswers %q with %q", asks[i].Text, found, not)
			}
		}
	}
	for _, dir := range []string{"behaviors", "emotionevents", "."} {
		marksNothing(t, work, filepath.Join(work, "robot", dir))
	}
}

// request takes the bar out of a text.
func request(file, text string) lookup {
	at := strings.Index(text, "|")
	if at < 0 {
		return lookup{File: file, Text: text}
	}
	return lookup{File: file, Text: text[:at] + text[at+1:], At: &at}
}

func answers(t *testing.T, dir string, asks []lookup) (out [][]string) {
	t.Helper()
	in, err := json.Marshal(asks)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "node", "ls.mjs")
	c.Dir, c.Stderr, c.Stdin = dir, os.Stderr, bytes.NewReader(in)
	text, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil || len(out) != len(asks) {
		t.Fatalf("%d answers, %v", len(out), err)
	}
	return out
}

// marksNothing expects that no shipped file has a mark.
func marksNothing(t *testing.T, work, dir string) {
	t.Helper()
	var asks []lookup
	for _, pattern := range []string{"*.json", "*/*.json"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.Contains(file, "schema") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			asks = append(asks, lookup{File: file, Text: string(text)})
		}
	}
	if len(asks) == 0 {
		t.Errorf("no file in %s", dir)
	}
	for i, found := range answers(t, work, asks) {
		if len(found) > 0 {
			t.Errorf("%s: %q", asks[i].File, found)
		}
	}
}
