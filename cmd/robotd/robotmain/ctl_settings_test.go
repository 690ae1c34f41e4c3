package robotmain

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Rules: data/5.7b, DT-X01.
func TestSettingsAreShownWithWhoSetThem(t *testing.T) {
	s := control.SettingsState{
		Features:  []control.GateState{{Name: "Songs", Enabled: true, InFiles: true, Override: "Default"}, {Name: "Tricks", Override: "Disabled"}},
		Reactions: []control.ReactionState{{Condition: "OnCharger", Options: []string{"A", "B"}}, {Condition: "CliffDetected", Behavior: "B", Options: []string{"B"}}},
	}
	if got := byHand(&s); got != "Tricks disabled, CliffDetected: B" {
		t.Errorf("by hand: %q", got)
	}
	var out strings.Builder
	gates(&out, s.Features)
	reactions(&out, s.Reactions)
	gates(&out, nil)
	reactions(&out, nil)
	want := "Songs\tenabled\tby the files\nTricks\tdisabled\tby hand\nOnCharger\tnone\tof A, B\nCliffDetected\tB\tof B\n" +
		"the files declare no features\nthere is no conditionToBehaviorMap.json: nobody can choose reactions\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

// An empty word, such as an unset variable of a script, takes nothing back.
func TestReactionWithoutBehaviorIsWrongUsage(t *testing.T) {
	for want, words := range map[string][]string{
		"reaction OnCharger: the behavior is empty; want one, or none": {"OnCharger", ""},
		"reaction OnCharger: want a behavior, or none":                 {"OnCharger"},
	} {
		var stdout, stderr strings.Builder
		code := execute(t.Context(), Options{}, append([]string{"ctl", "--addr", "127.0.0.1:1", "reaction"}, words...), &stdout, &stderr)
		if code != exitUsage || !strings.Contains(stderr.String(), want) {
			t.Errorf("%q: %d %s", words, code, stderr.String())
		}
	}
}
