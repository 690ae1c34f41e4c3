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
