package catalog_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
)

// Rules: data/1.4n.
func TestNamesAreSplitIntoWords(t *testing.T) {
	for name, want := range map[string]string{
		"Explore": "Explore", "ReactToCliff": "React to cliff", "GoHome": "Go home", "come_here": "come here", "UseLEDNow": "Use LED now",
		"TurnTo2": "Turn to2", "": "", "IMU": "IMU", "ObservingOnCharger": "Observing on charger",
	} {
		if got := catalog.Words(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
