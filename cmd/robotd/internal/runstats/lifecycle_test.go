package runstats

import (
	"testing"

	"github.com/robotd/robotd/behaviors/stack"
)

func TestLifecycleCheckerAcceptsLegalAndNamesIllegalEvents(t *testing.T) {
	kinds := map[byte]stack.Kind{
		'i': stack.EventInit, 'e': stack.EventEnteredScope, 'l': stack.EventLeftScope, 'p': stack.EventPush, 'a': stack.EventActivated,
		'd': stack.EventDeactivated, 'o': stack.EventPop, 'r': stack.EventReplaced, 'x': stack.EventDisabled, 'f': stack.EventFault,
		'c': stack.EventReloaded, 'g': stack.EventRemoved,
	}
	for life, wrong := range map[string]int{ // index of the first wrong letter, -1 = none
		"iel": -1, "iepadol": -1, "iepadopadol": -1, "ifr": -1, "iefriepado": -1, "iepafdorie": -1, "iex": -1, "iexlo": -1,
		"e": 0, "ii": 1, "ip": 1, "iee": 2, "iepd": 3, "iepal": 4, "iepado": -1, "iepao": 4, "iepap": 4, "iepar": 4, "iell": 3,
		"iepadolcie": -1, "ig": -1, "igie": -1, "iec": 2, "iepg": 3, "iexcie": -1, "g": 0,
	} {
		g := NewLifecycleChecker()
		got := -1
		for i := range life {
			if g.Read(stack.Event{Kind: kinds[life[i]], ID: "B"}) != "" {
				got = i
				break
			}
		}
		if got != wrong {
			t.Errorf("%s: wrong at %d, want %d", life, got, wrong)
		}
	}
}

func TestLifecycleCheckerListsBehaviorsLeftOnTheStack(t *testing.T) {
	g := NewLifecycleChecker()
	for _, k := range []stack.Kind{stack.EventInit, stack.EventEnteredScope, stack.EventPush, stack.EventActivated} {
		g.Read(stack.Event{Kind: k, ID: "B"})
	}
	if r := g.Resting(); len(r) != 1 || r[0] != "B" {
		t.Errorf("resting: %v", r)
	}
}
