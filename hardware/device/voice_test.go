package device

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// A fakeVoice tells what the test says.
type fakeVoice struct {
	state   VoiceState
	started []uint64
	stopped int
}

func (v *fakeVoice) Start(s hardware.PlaySound) {
	v.state = VoiceState{ID: s.ID}
	v.started = append(v.started, s.ID)
}
func (v *fakeVoice) Stop()             { v.stopped++ }
func (v *fakeVoice) State() VoiceState { return v.state }

// busy polls the speaker at an instant.
func busy(t *testing.T, p *Speaker, at time.Time) bool {
	t.Helper()
	s, err := p.Poll(at)
	if err != nil {
		t.Fatal(err)
	}
	return s.Value.(*hardware.SpeakerState).Busy
}

// The reading says busy while the audio is made and heard, however long its command guessed it to be: the length is a fact of the recording.
func TestSpeakerIsBusyAsLongAsTheAudio(t *testing.T) {
	t0, v := time.Unix(100, 0), &fakeVoice{}
	p := NewSpeaker(Board{Voice: v, Mouth: new(Mouth)})
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	say := func(id uint64) {
		if err := p.Apply(t0, hardware.PlaySound{ID: id, Text: "hello", Duration: 500 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
	}
	say(1)
	if !busy(t, p, at(900)) {
		t.Error("it ends before the audio is made")
	}
	v.state = VoiceState{ID: 1, Begun: at(1000), Length: 1500 * time.Millisecond}
	if !busy(t, p, at(2499)) || busy(t, p, at(2500)) {
		t.Error("it does not end with its audio")
	}
	say(2) // shorter than guessed
	v.state = VoiceState{ID: 2, Begun: at(10), Length: 100 * time.Millisecond}
	if !busy(t, p, at(100)) || busy(t, p, at(110)) {
		t.Error("it does not end with its short audio")
	}
	say(3) // a caption
	v.state = VoiceState{ID: 3, Silent: true}
	if !busy(t, p, at(499)) || busy(t, p, at(500)) {
		t.Error("a caption does not take its time")
	}
	say(4) // a voice that never answers
	if !busy(t, p, at(4999)) || busy(t, p, at(5000)) {
		t.Error("a voice that says nothing holds the speaker")
	}
	say(5)
	if err := p.Apply(at(10), hardware.StopSound{}); err != nil || busy(t, p, at(11)) || v.stopped != 1 {
		t.Errorf("stopped %d times, %v", v.stopped, err)
	}
}

// Lips follow the letters without audio and its loudness with audio, and rest when nobody speaks.
func TestLipsFollowWhatIsSaid(t *testing.T) {
	t0, m := time.Unix(100, 0), new(Mouth)
	p := NewSpeaker(Board{Mouth: m})
	if err := p.Apply(t0, hardware.PlaySound{ID: 1, Text: "Ma b", Duration: 400 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	for ms, want := range map[int]int{0: 0, 99: 0, 100: 4, 199: 4, 200: 0, 300: 0} {
		if open, speaks := m.Open(t0.Add(time.Duration(ms) * time.Millisecond)); open != want || !speaks {
			t.Errorf("after %d ms: open %d (%t), want %d", ms, open, speaks, want)
		}
	}
	if _, speaks := m.Open(t0.Add(400 * time.Millisecond)); speaks {
		t.Error("it speaks beyond its end")
	}
	m.say(&utterance{"Ma", t0, time.Second, []uint8{0, 255, 128}})
	for ms, want := range map[int]int{0: 0, 60: 4, 110: 2, 900: 2} {
		if open, _ := m.Open(t0.Add(time.Duration(ms) * time.Millisecond)); open != want {
			t.Errorf("after %d ms of audio: open %d, want %d", ms, open, want)
		}
	}
	if err := p.Halt(); err != nil {
		t.Fatal(err)
	}
	if _, speaks := m.Open(t0); speaks {
		t.Error("a speaker that was halted speaks")
	}
	if _, speaks := (*Mouth)(nil).Open(t0); speaks {
		t.Error("no mouth speaks")
	}
}
