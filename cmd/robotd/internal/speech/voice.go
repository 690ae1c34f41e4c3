package speech

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
)

// Times of the programs.
const (
	makeTime = 3 * time.Second // to speak a text
	playMore = 2 * time.Second // to play, beyond the length of the audio
	stuckFor = 2 * makeTime    // a program that cannot even be killed: sounds are captions until it is gone
)

// kept is how many sounds are kept for who asks for them.
const kept = 4

// Options are the options of a voice.
type Options struct {
	Speak []string // program with arguments that speaks: text at stdin, WAV file at stdout; nil for captions
	Play  []string // program with arguments that plays raw samples from stdin, as aplay does; nil if nobody plays here
	Log   *slog.Logger
}

// A Voice makes the sounds of a speaker. It implements [device.Voice].
type Voice struct {
	o     Options
	limit time.Duration // of making a sound
	begun chan struct{} // wakes the goroutine
	done  chan struct{}
	quit  context.CancelFunc

	mu     sync.Mutex
	next   *hardware.PlaySound // to be made; nil for none
	cancel context.CancelFunc  // of the sound that is made or played
	since  time.Time           // the goroutine is busy; zero if it waits
	state  device.VoiceState
	sounds []Sound
	told   string // the newest trouble that was logged
}

// A Sound is audio that was made for a command.
type Sound struct {
	ID    uint64
	Audio *Audio
}

// New starts a voice, or returns nil if it could make no sound at all.
func New(o Options) *Voice {
	if o.Speak == nil && o.Play == nil {
		return nil
	}
	ctx, quit := context.WithCancel(context.Background())
	v := &Voice{o: o, limit: makeTime, begun: make(chan struct{}, 1), done: make(chan struct{}), quit: quit, cancel: func() {}}
	go v.work(ctx)
	return v
}

// Start begins a sound in place of the one before.
func (v *Voice) Start(s hardware.PlaySound) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cancel()
	v.state = device.VoiceState{ID: s.ID}
	if !v.since.IsZero() && time.Since(v.since) > stuckFor+maxLength {
		v.state.Silent = true
		return
	}
	v.next = &s
	select {
	case v.begun <- struct{}{}:
	default: // it is awake
	}
}

// Stop ends the sound.
func (v *Voice) Stop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.next = nil
	v.cancel()
}

// State tells of the sound that was started last.
func (v *Voice) State() device.VoiceState {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.state
}

// Close ends the programs. It waits no longer than limit.
func (v *Voice) Close(limit time.Duration) {
	if v == nil {
		return
	}
	v.quit()
	select {
	case <-v.done:
	case <-time.After(limit):
	}
}

// Find returns one of the newest sounds, by what accepts its number.
func (v *Voice) Find(accept func(id uint64) bool) *Audio {
	if v == nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range v.sounds {
		if accept(s.ID) {
			return s.Audio
		}
	}
	return nil
}

// work makes and plays one sound after the other.
func (v *Voice) work(ctx context.Context) {
	defer close(v.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.begun:
		}
		if s, ours := v.take(ctx); s != nil {
			v.sound(ours, *s)
		}
		v.mu.Lock()
		v.since = time.Time{}
		v.mu.Unlock()
	}
}

// take takes the sound that waits, with a context that the next one ends.
func (v *Voice) take(ctx context.Context) (*hardware.PlaySound, context.Context) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := v.next
	ours, cancel := context.WithCancel(ctx)
	v.next, v.cancel, v.since = nil, cancel, time.Now()
	if s == nil {
		cancel()
	}
	return s, ours
}

// sound makes a sound and plays it.
func (v *Voice) sound(ctx context.Context, s hardware.PlaySound) {
	a, err := v.audio(ctx, s)
	if a == nil {
		v.update(s.ID, func() { v.state.Silent = true })
		v.trouble(ctx, "cannot speak", err)
		return
	}
	loud := a.Loud()
	v.update(s.ID, func() {
		v.state = device.VoiceState{ID: s.ID, Begun: time.Now(), Length: a.Length(), Loud: loud}
		if v.sounds = append([]Sound{{s.ID, a}}, v.sounds...); len(v.sounds) > kept {
			v.sounds = v.sounds[:kept]
		}
	})
	if v.o.Play == nil {
		return
	}
	limit, cancel := context.WithTimeout(ctx, a.Length()+playMore)
	defer cancel()
	program := append(append([]string{}, v.o.Play...), "-f", "S16_LE", "-r", strconv.Itoa(a.Rate), "-c", strconv.Itoa(a.Channels))
	_, err = run(limit, program, a.PCM, 1<<16)
	v.trouble(ctx, "cannot play", err)
}

// audio makes the audio of a sound; nil if it is its caption.
func (v *Voice) audio(ctx context.Context, s hardware.PlaySound) (*Audio, error) {
	if s.Text == "" {
		if v.o.Play == nil { // the page plays clips by itself
			return nil, nil
		}
		return Clip(s.Clip), nil
	}
	if v.o.Speak == nil {
		return nil, nil
	}
	limit, cancel := context.WithTimeout(ctx, v.limit)
	defer cancel()
	out, err := run(limit, v.o.Speak, []byte(s.Text), maxBytes)
	if err != nil {
		return nil, err
	}
	return ParseWAV(out)
}

// update changes the state of a sound, unless another one was started.
func (v *Voice) update(id uint64, change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.state.ID == id {
		change()
	}
}

// trouble logs an error, the same one once in a row. A sound that was stopped is none.
func (v *Voice) trouble(ctx context.Context, what string, err error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	v.mu.Lock()
	text := ""
	if err != nil {
		text = what + ": " + err.Error()
	}
	again := text == v.told || text == ""
	v.told = text
	v.mu.Unlock()
	if !again {
		v.o.Log.Warn("the speaker "+what+"; the words are a caption", "why", err)
	}
}
