package doctor

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/speech"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// soundTime is how long a sound device may take to be opened.
const soundTime = 3 * time.Second

// sound opens the robot's sound device and looks for a program that speaks.
func sound(p *profile.Profile) []Check {
	if p.Speaker == nil {
		return nil
	}
	voice := Check{What: "speech", State: OK, Text: speech.ESpeak + " speaks"}
	if _, err := exec.LookPath(speech.ESpeak); err != nil {
		voice = Check{What: "speech", State: Note, Text: "no " + speech.ESpeak + ": words are captions", Advice: "apt-get install espeak-ng, or name another program with --speech command"}
	}
	if p.Speaker.Driver.Driver != profile.ALSA {
		return []Check{voice}
	}
	return []Check{voice, soundDevice(p.Speaker.Device)}
}

// soundDevice plays nothing on a device, which opens it.
func soundDevice(name string) Check {
	c := Check{What: hardware.Speaker, State: OK, Text: "ALSA device " + name + " takes sound"}
	program := append(speech.Player(name), "-f", "S16_LE", "-r", "22050", "-c", "1", "/dev/null")
	if _, err := exec.LookPath(program[0]); err != nil {
		c.State, c.Text, c.Advice = Fail, "there is no aplay", "apt-get install alsa-utils"
		return c
	}
	ctx, cancel := context.WithTimeout(context.Background(), soundTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, program[0], program[1:]...).CombinedOutput()
	if err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		c.State, c.Text = Fail, "ALSA device "+name+" cannot be opened: "+said
		c.Advice = "aplay -L lists the devices; the user needs the group audio; another program may hold the device"
	}
	return c
}
