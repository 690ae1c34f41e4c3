package speech

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
)

// A journal is a log that several goroutines write.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) count(what string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.text.String(), what)
}

// voice starts a voice.
func voice(t *testing.T, o Options) (*Voice, *journal) {
	j := &journal{}
	o.Log = slog.New(slog.NewTextHandler(j, nil))
	v := New(o)
	t.Cleanup(func() { v.Close(5 * time.Second) })
	return v, j
}

// within sets how long its program may take.
func within(v *Voice, limit time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.limit = limit
}

// until waits for a state.
func until(t *testing.T, v *Voice, what string, ok func(device.VoiceState) bool) device.VoiceState {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for end := time.After(2 * time.Minute); ; {
		s := v.State()
		if ok(s) {
			return s
		}
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("never %s: %+v", what, s)
		}
	}
}

// wav is a program that speaks: it writes a sound of that many samples, loud in its second half.
func wav(t *testing.T, samples int) []string {
	t.Helper()
	a := &Audio{Rate: 8000, Channels: 1, PCM: make([]byte, 2*samples)}
	for i := samples / 2; i < samples; i++ {
		a.PCM[2*i+1] = 0x40 // 16384
	}
	file := filepath.Join(t.TempDir(), "spoken.wav")
	if err := os.WriteFile(file, a.WAV(), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"cat", file}
}

// The length of an utterance and the loudness of its parts are those of the audio that was made.
func TestUtteranceLastsAsLongAsItsAudio(t *testing.T) {
	v, _ := voice(t, Options{Speak: wav(t, 9600)})
	v.Start(hardware.PlaySound{ID: 7, Text: "hello"})
	s := until(t, v, "heard", func(s device.VoiceState) bool { return !s.Begun.IsZero() })
	if s.ID != 7 || s.Length != 1200*time.Millisecond || len(s.Loud) != 24 || s.Loud[0] != 0 || s.Loud[23] != 255 {
		t.Errorf("%+v", s)
	}
	if a := v.Find(func(id uint64) bool { return id == 7 }); a == nil || a.Length() != s.Length {
		t.Errorf("kept %v", a)
	}
	if a := v.Find(func(id uint64) bool { return id == 8 }); a != nil {
		t.Errorf("a sound that nobody asked for: %v", a)
	}
}

// A speech program that hangs, even against SIGTERM and with a child of its own, that dies, floods, is absent or writes nonsense costs its caption:
// the trouble is told once, and the next sound is heard.
func TestTroubleOfTheSpeechProgramEndsInACaption(t *testing.T) {
	good := wav(t, 800)
	for name, c := range map[string]struct{ script, told string }{
		"hangs":    {`trap "" TERM; sleep 1000 & sleep 1000`, "deadline exceeded"},
		"dies":     {`echo no voice here >&2; exit 3`, "exit status 3: no voice here"},
		"floods":   {`exec cat /dev/zero`, "more than a minute"},
		"nonsense": {`echo hello`, "no WAV file"},
		"silent":   {`true`, "no WAV file"},
	} {
		t.Run(name, func(t *testing.T) {
			mark := filepath.Join(t.TempDir(), "well")
			v, log := voice(t, Options{Speak: []string{"sh", "-c", "if test -e " + mark + "; then exec cat " + good[1] + "; fi; " + c.script}})
			within(v, time.Minute) // they end by themselves, after a while on a busy machine
			if name == "hangs" {
				within(v, 200*time.Millisecond)
			}
			for id := uint64(1); id <= 2; id++ {
				v.Start(hardware.PlaySound{ID: id, Text: "hello"})
				until(t, v, "a caption", func(s device.VoiceState) bool { return s.ID == id && s.Silent })
			}
			if err := os.WriteFile(mark, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			within(v, time.Minute)
			v.Start(hardware.PlaySound{ID: 3, Text: "hello"})
			until(t, v, "heard", func(s device.VoiceState) bool { return s.ID == 3 && s.Length == 100*time.Millisecond })
			if log.count(c.told) != 1 || log.count("cannot speak") != 1 {
				t.Errorf("told %d times %q: %s", log.count(c.told), c.told, log.text.String())
			}
		})
	}
	v, log := voice(t, Options{Speak: []string{"/nowhere/espeak-ng"}})
	v.Start(hardware.PlaySound{ID: 1, Text: "hello"})
	until(t, v, "a caption", func(s device.VoiceState) bool { return s.Silent })
	v.Close(time.Second)
	if log.count("no such file") > 1 {
		t.Error("told twice")
	}
}

// Start does not wait for the program: this one speaks when the test has gone on.
func TestStartDoesNotWaitForTheProgram(t *testing.T) {
	good, mark := wav(t, 800), filepath.Join(t.TempDir(), "on")
	v, _ := voice(t, Options{Speak: []string{"sh", "-c", "until test -e " + mark + "; do sleep 0.01; done; exec cat " + good[1]}})
	within(v, time.Minute)
	v.Start(hardware.PlaySound{ID: 1, Text: "hello"})
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, v, "heard", func(s device.VoiceState) bool { return s.ID == 1 && s.Length == 100*time.Millisecond })
}

// A new sound or a stop ends the one that plays, and the player gets the samples and their form.
func TestStopEndsThePlayer(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "played")
	player := []string{"sh", "-c", `cat > "$0".tmp; echo "$@" >> "$0".tmp; mv "$0".tmp "$0"; sleep 1000`, file}
	v, _ := voice(t, Options{Speak: wav(t, 8000), Play: player})
	v.Start(hardware.PlaySound{ID: 1, Text: "hello"})
	var got []byte
	until(t, v, "played", func(device.VoiceState) bool {
		got, _ = os.ReadFile(file)
		return got != nil
	})
	form := "-f S16_LE -r 8000 -c 1\n"
	if !bytes.HasSuffix(got, []byte(form)) || len(got) != 16000+len(form) {
		t.Errorf("the player got %d bytes, which end with %q", len(got), got[max(0, len(got)-40):])
	}
	v.Stop()
	v.Start(hardware.PlaySound{ID: 2, Clip: "ack"})
	until(t, v, "the next sound", func(s device.VoiceState) bool { return s.ID == 2 && !s.Begun.IsZero() })
	begin := time.Now()
	v.Close(10 * time.Second)
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("closing took %v", took)
	}
}

func TestProgramOfABackend(t *testing.T) {
	for _, c := range []struct{ backend, command, want, fails string }{
		{Captions, "", "", ""},
		{"", "", "", ""},
		{Command, "sh -c true", "sh -c true", ""},
		{Command, "", "", "--speech command lacks --speech-command"},
		{Command, "nowhere-tts -x", "", `--speech command: there is no program "nowhere-tts" here; install it, or use --speech captions`},
		{Captions, "sh", "", `--speech-command "sh" belongs to --speech command, not to "captions"`},
		{"espeek-ng", "", "", `--speech: there is no word "espeek-ng"; did you mean "espeak-ng"?`},
	} {
		got, err := Program(c.backend, c.command)
		switch {
		case c.fails != "":
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s %q: %v; want %q", c.backend, c.command, err, c.fails)
			}
		case err != nil || !strings.HasSuffix(strings.Join(got, " "), c.want) || (len(got) == 0) != (c.want == ""):
			t.Errorf("%s %q: %q, %v; want %q", c.backend, c.command, got, err, c.want)
		}
	}
}

func TestWAVIsReadStrictly(t *testing.T) {
	good := (&Audio{Rate: 8000, Channels: 2, PCM: make([]byte, 400)}).WAV()
	a, err := ParseWAV(good)
	if err != nil || a.Length() != 12500*time.Microsecond {
		t.Fatalf("%v, %v", a, err)
	}
	change := func(at int, b byte) []byte {
		c := bytes.Clone(good)
		c[at] = b
		return c
	}
	if a, err := ParseWAV(change(43, 0x7f)); err != nil || len(a.PCM) != 400 { // a length that was not known beforehand
		t.Errorf("%v, %v", a, err)
	}
	for want, b := range map[string][]byte{
		"no WAV file": []byte("RIFX"), "kind 3": change(20, 3), "24 bits": change(34, 24), "3 channels": change(22, 3), "0 Hz": change(25, 0)[:],
		"without data": good[:36], "cut off": append(bytes.Clone(good[:16]), 4, 0, 0, 0, 1, 2, 3, 4), "without a sample": good[:44],
	} {
		if want == "0 Hz" {
			b = change(24, 0)
			b[25] = 0
		}
		if _, err := ParseWAV(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	for name := range clips {
		if a := Clip(name); a.Length() < 30*time.Millisecond || a.Length() > 3*time.Second {
			t.Errorf("%s takes %v", name, a.Length())
		}
	}
}
