//go:build e2e

package speech

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
)

// espeak-ng speaks, and aplay gets every sample to an ALSA device: here one of ALSA's plugin "file", which writes what it is given.
// It needs apt-get install espeak-ng alsa-utils, and no sound card.
func TestSpokenTextReachesTheSoundDevice(t *testing.T) {
	dir := t.TempDir()
	conf, file := filepath.Join(dir, "asound.conf"), filepath.Join(dir, "heard.raw")
	text := "pcm.heard { type file; slave.pcm \"null\"; file \"" + file + "\"; format \"raw\" }\npcm.null { type null }\n"
	if err := os.WriteFile(conf, []byte("</usr/share/alsa/alsa.conf>\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ALSA_CONFIG_PATH", conf)
	speak, err := Program(ESpeak, "")
	if err != nil {
		t.Fatal(err)
	}
	v, log := voice(t, Options{Speak: speak, Play: Player("heard")})
	v.Start(hardware.PlaySound{ID: 1, Text: "Hello, I am a robot. --help"})
	s := until(t, v, "spoken", func(s device.VoiceState) bool { return s.Silent || s.Length > 0 })
	a := v.Find(func(uint64) bool { return true })
	if s.Silent || a == nil || a.Length().Seconds() < 1 || a.Length().Seconds() > 10 {
		t.Fatalf("%+v; %s", s, log.text.String())
	}
	var heard []byte
	until(t, v, "heard", func(device.VoiceState) bool {
		heard, _ = os.ReadFile(file)
		return len(heard) >= len(a.PCM)
	})
	if !bytes.HasPrefix(heard, a.PCM) {
		t.Error("the device heard something else than was spoken")
	}
	v.Start(hardware.PlaySound{ID: 2, Clip: "ack"})
	clip := Clip("ack")
	until(t, v, "the clip", func(device.VoiceState) bool {
		heard, _ = os.ReadFile(file)
		return bytes.Contains(heard, clip.PCM)
	})
}
