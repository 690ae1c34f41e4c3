package device

import (
	"strings"
	"testing"

	"periph.io/x/devices/v3/ssd1306/image1bit"

	"github.com/robotd/robotd/hardware"
)

// picture is the panel in one character for 2 by 4 pixels.
func picture(img *image1bit.VerticalLSB) string {
	var b strings.Builder
	for y := 0; y < faceHeight; y += 4 {
		line := ""
		for x := 0; x < faceWidth; x += 2 {
			if img.BitAt(x, y+1) == image1bit.On {
				line += "#"
			} else {
				line += "."
			}
		}
		b.WriteString(strings.TrimRight(line, ".") + "\n")
	}
	return b.String()
}

// Digits stand in the middle of the panel in place of eyes, each different from the others.
func TestDisplayDrawsDigitsInPlaceOfEyes(t *testing.T) {
	want := `
..............##...##########.......##########..##......##
..............##...........##...............##..##......##
..............##...........##...............##..##......##
..............##...........##..##...........##..##......##
..............##...........##...............##..##......##
..............##...##########.......##########..##########
..............##...##.......................##..........##
..............##...##..........##...........##..........##
..............##...##.......................##..........##
..............##...##########.......##########..........##
`
	if got := picture(drawFace(pose{name: hardware.Digits("12:34")})); strings.TrimSpace(got) != strings.TrimSpace(want) || strings.Index(got, "#") < 3 {
		t.Errorf("it draws\n%s", got)
	}
	seen := map[string]byte{}
	for _, c := range []byte("0123456789:") {
		p := picture(drawFace(pose{name: hardware.Digits(string(c))}))
		if other, ok := seen[p]; ok {
			t.Errorf("%c looks like %c", c, other)
		}
		seen[p] = c
	}
}

// Other texts are neither digits nor expressions.
func TestOnlyFewDigitsAreShown(t *testing.T) {
	for name, want := range map[string]bool{"digits 12:34": true, "digits 0": true, "digits ": false, "digits 123456": false, "digits 1a": false, "12:34": false} {
		if hardware.KnownExpression(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if !hardware.EyesShut(hardware.Digits("9:05")) {
		t.Error("digits blink")
	}
}
