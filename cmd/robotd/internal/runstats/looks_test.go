package runstats

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/robotd/robotd/hardware"
)

// shown is a world in which the robot looks like that.
func shown(face string, light hardware.RGB) *hardware.World {
	w := &hardware.World{}
	w.Display.Value.Face = face
	w.Lights.Value.Colors[2] = light
	return w
}

func TestLooksAreSharesOfTheTimeAndBlinksAreCountedOnce(t *testing.T) {
	l := NewLooks()
	for _, face := range []string{"neutral", "blink", "blink", "neutral", "happy", "blink", "happy", "happy"} {
		l.Add(shown(face, hardware.RGB{}))
	}
	if want := (map[string]float64{"neutral": 0.25, "blink": 0.375, "happy": 0.375}); !maps.Equal(l.faces.share(l.ticks), want) || l.blinks != 2 {
		t.Errorf("faces %v and %d blinks, want %v and 2", l.faces.share(l.ticks), l.blinks, want)
	}
}

func TestColorOfTheBrightestLightHasAName(t *testing.T) {
	for want, c := range map[string]hardware.RGB{
		"dark": {}, "red": {R: 120}, "green": {R: 10, G: 200, B: 60}, "blue": {R: 20, G: 90, B: 255}, "yellow": {R: 255, G: 140, B: 20},
		"violet": {R: 150, G: 30, B: 200}, "turquoise": {G: 90, B: 100}, "white": {R: 80, G: 80, B: 80},
	} {
		if got := colorOf([5]hardware.RGB{{B: 1}, c}); got != want && want != "dark" {
			t.Errorf("%v is %s, want %s", c, got, want)
		}
	}
	if got := colorOf([5]hardware.RGB{}); got != "dark" {
		t.Errorf("no light is %s", got)
	}
}

func TestSummaryNamesTheCommonLooksFirst(t *testing.T) {
	s := Summary{Faces: map[string]float64{"": 0.1, "happy": 0.2, "neutral": 0.7, "sad": 0.004}, Lights: map[string]float64{"dark": 1}, Blinks: 3}
	var b bytes.Buffer
	if err := s.Write(&b, "text"); err != nil {
		t.Fatal(err)
	}
	if want := "  face neutral 70 %, happy 20 %, off 10 %; 3 blinks\n  lights dark 100 %\n"; !strings.Contains(b.String(), want) {
		t.Errorf("summary\n%swithout\n%s", b.String(), want)
	}
}
