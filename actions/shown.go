package actions

import (
	"slices"

	"github.com/robotd/robotd/hardware"
)

// A showing is the newest thing that an action, or one child of a compound, showed on one device. It belongs to that action and is given
// back when the action ends or is set aside, whatever ends it (TRK-14).
type showing struct {
	by, root *Runner // the child, and the runner of the list that it is part of; equal for an action without children
	command  hardware.Command
}

// Shown is the newest command of the running actions to the display, to the back lights, or to the speaker; nil if no running action
// showed anything there.
func (l *List) Shown(device string) hardware.Command {
	for _, s := range slices.Backward(l.shown) {
		if s.command.Target() == device {
			return s.command
		}
	}
	return nil
}

// show records what an action shows. StopSound ends every sound.
func (l *List) show(by, root *Runner, c hardware.Command) {
	switch c.(type) {
	case hardware.ShowFace, hardware.SetLights, hardware.PlaySound:
		l.unshow(func(s *showing) bool { return s.by == by && s.command.Target() == c.Target() })
		l.shown = append(l.shown, showing{by, root, c})
	case hardware.StopSound:
		l.unshow(func(s *showing) bool { return s.command.Target() == hardware.Speaker })
	}
}

// unshow forgets what f selects and returns the newest sound of it, if any.
func (l *List) unshow(f func(*showing) bool) (sound hardware.PlaySound) {
	kept := l.shown[:0]
	for i := range l.shown {
		s := l.shown[i]
		switch p, ok := s.command.(hardware.PlaySound); {
		case !f(&s):
			kept = append(kept, s)
		case ok:
			sound = p
		}
	}
	clear(l.shown[len(kept):])
	l.shown = kept
	return sound
}

// giveBack forgets what r and its children showed and looked for. A sound of theirs that still plays ends: an action that failed did not end it itself.
func (f *fence) giveBack(r *Runner) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.list.unlook(func(k looking) bool { return k.by == r || k.root == r })
	if len(f.list.shown) == 0 {
		return
	}
	sound := f.list.unshow(func(s *showing) bool { return s.by == r || s.root == r })
	if w := f.outer.World; sound.ID != 0 && w != nil && f.outer.Send != nil && plays(&w.Speaker, sound.ID) {
		f.outer.Send(hardware.StopSound{})
	}
}

// plays reports whether a speaker that works plays a sound, or has not taken the command yet.
func plays(sp *hardware.Reading[hardware.SpeakerState], sound uint64) bool {
	return sp.OK() && (sp.Value.ID < sound || sp.Value.ID == sound && sp.Value.Busy)
}
