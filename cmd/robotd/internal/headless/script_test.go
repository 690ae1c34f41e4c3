package headless_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

func TestScriptMistakeNamesTheNearestWord(t *testing.T) {
	s := setuptest.Options(t, 1)
	act := func(text string) error { _, err := headless.ParseAct(text, s); return err }
	fault := func(text string) error { _, err := headless.ParseFault(text, s); return err }
	for _, c := range []struct {
		parse      func(string) error
		text, want string
	}{
		{fault, "1s moters nack", `did you mean "motors"?`},
		{fault, "1s motors nak", `did you mean "nack"?`},
		{fault, "1s touch nack", "no acknowledge"},
		{fault, "soon motors nack", `"soon" is no time`},
		{fault, "1s motors nack -2s", `"-2s" is no time`},
		{fault, "motors nack", "want"},
		{act, "1s pikup", `did you mean "pickup"?`},
		{act, "1s intent come_her", `did you mean "come_here"?`},
		{act, "1s intent come_here k", "KEY=VALUE"},
		{act, "1s run-behavior Wayt", `did you mean "Wait"?`},
		{act, "1s touch secnds=2", `did you mean "seconds"?`},
		{act, "1s touch seconds=long", "no number"},
		{act, "1s cancel now", "too much"},
		{act, "1s intent", "needs a name"},
		{act, "1s var Speed", "var needs a name and a value"},
		{act, "1s var Speed fast", `var Speed: "fast" is no whole number of 32 bits`},
		{act, "1s motion name=Topp", `did you mean "Top"?`},
		{act, "1s drive 80", "drive needs the speeds of the left and the right wheel"},
		{act, "1s drive 80 fast", `drive: "fast" is no speed in mm/s`},
		{act, "1s drive 800 80", "drive: left_mmps: 800 is not between -170 and 170"},
		{act, "1s drve 80 80", `did you mean "drive"?`},
		{act, "1s", "want"},
	} {
		if err := c.parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// A script is read before the life begins, so what the robot has not is no surprise in the middle of it.
func TestScriptForPartThatRobotLacksIsRefused(t *testing.T) {
	s := setuptest.Options(t, 1)
	s.Robot = robotNamed(t, "jetbot")
	for text, want := range map[string]string{
		"10s touch":  "touch: robot jetbot has nothing that feels a hand; acts: beat carry cube dark face habitat",
		"10s button": "button: robot jetbot has no power button that it feels; acts: ",
		"10s edge":   "edge: robot jetbot has a floor with walls, which has no edge; acts: ",
	} {
		if _, err := headless.ParseAct(text, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"10s range absent": "the range of jetbot has no chip and no line that could fail; devices: battery bus display host motors",
		"10s rnge absent":  "no device \"rnge\"; devices: battery bus display host motors",
		"10s motrs absent": "no device \"motrs\"; did you mean \"motors\"? devices: battery bus display host motors",
	} {
		if _, err := headless.ParseFault(text, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
	if _, err := headless.ParseAct("10s poke", s); err != nil {
		t.Error(err)
	}
}

func TestFaultFileErrorsNameEveryWrongLine(t *testing.T) {
	_, err := headless.ParseFaults("f.txt", strings.NewReader("# all\n1s imu nack # fine\n\n2s imu nak\nnonsense\n"), setuptest.Options(t, 1))
	if err == nil || !strings.Contains(err.Error(), "f.txt:4: ") || !strings.Contains(err.Error(), "f.txt:5: ") || strings.Contains(err.Error(), "f.txt:2") {
		t.Errorf("error: %v", err)
	}
}
