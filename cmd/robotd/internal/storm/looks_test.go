package storm

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// maxOutlive is how long an expression, a color or a sound may stay when nothing wants it any more.
const maxOutlive = time.Second

// outlived finds expressions, colors and sounds that outlive what they belong to. It knows clips and running actions, what behaviors hold,
// and what an idle robot shows, and does not ask the engine who shows what now.
type outlived struct {
	faces  map[string][]string             // clips by expression
	lights map[[5]hardware.RGB][]string    // clips by colors
	sounds map[string][]string             // clips by sound
	since  map[string]map[string]time.Time // by kind and what is shown: since when nothing explains it
	newest time.Time                       // tick
	wrong  []string
}

func newOutlived() *outlived {
	o := &outlived{
		faces: map[string][]string{}, lights: map[[5]hardware.RGB][]string{}, sounds: map[string][]string{},
		since: map[string]map[string]time.Time{},
	}
	for _, name := range animation.BuiltIn().ClipNames() {
		clip := animation.BuiltIn().Clip(name)
		for _, f := range clip.Frames {
			switch c := f.Do.(type) {
			case animation.Eyes:
				o.faces[string(c)] = append(o.faces[string(c)], name)
			case animation.Look:
				o.faces[c.Face] = append(o.faces[c.Face], name)
			case animation.Glow:
				rgb := hardware.RGB(c)
				all := [5]hardware.RGB{rgb, rgb, rgb, rgb, rgb}
				o.lights[all] = append(o.lights[all], name)
			case animation.Lights:
				o.lights[c] = append(o.lights[c], name)
			case animation.Sound:
				o.sounds[c.Clip] = append(o.sounds[c.Clip], name)
			}
		}
	}
	return o
}

// idleFaces are what the display shows when nobody wants anything.
const idleFaces = " neutral happy sad sleepy "

// look checks one tick.
func (o *outlived) look(e *engine.Engine) {
	v := e.View()
	if v.Now.Sub(o.newest) > maxOutlive/2 { // the process stood still
		clear(o.since)
	}
	o.newest = v.Now
	w, running := v.World, e.Actions().Running()
	face := w.Display.Value.Face
	o.note(v.Now, w.Display.At, "face", face, !w.Display.OK() || strings.Contains(idleFaces, " "+face+" ") || holds(e, "expression") || runs(running, o.faces[face]...))
	colors := w.Lights.Value.Colors
	clips, fromClip := o.lights[colors]
	o.note(v.Now, w.Lights.At, "lights", fmt.Sprint(colors), !w.Lights.OK() || !fromClip || colors == [5]hardware.RGB{} || runs(running, clips...))
	playing := w.Speaker.Value.Playing
	clips, fromClip = o.sounds[playing]
	o.note(v.Now, w.Speaker.At, "sound", playing, !w.Speaker.OK() || !w.Speaker.Value.Busy || runs(running, clips...) || !fromClip && speaks(running, playing))
}

// note keeps since when nothing explains what is shown. Only a reading taken after that proves anything: that of a hung device stays for up
// to three of its periods, 1.5 s for the lights, while the order that changes them waits.
func (o *outlived) note(now, read time.Time, kind, what string, explained bool) {
	since, open := o.since[kind][what]
	switch {
	case explained:
		delete(o.since, kind)
	case !open:
		o.since[kind] = map[string]time.Time{what: now}
	case read.Sub(since) > maxOutlive:
		o.wrong = append(o.wrong, fmt.Sprintf("at %v: the %s %q outlives what it belongs to by %v", now.Sub(epoch), kind, what, read.Sub(since)))
		o.since[kind][what] = now.Add(time.Hour) // once is enough
	}
}

// runs reports whether the status of a running action names one of the clips.
func runs(running []actions.Info, clips ...string) bool {
	for _, a := range running {
		for _, c := range clips {
			if strings.Contains(a.Status, c) {
				return true
			}
		}
	}
	return false
}

// speaks reports whether a running action may say a text: its status names it, or it is a compound, which names one child only.
func speaks(running []actions.Info, text string) bool {
	return runs(running, text) || slices.ContainsFunc(running, func(a actions.Info) bool { return a.Type == actions.TypeCompound })
}

// holds reports whether a behavior holds a thing of that kind.
func holds(e *engine.Engine, what string) bool {
	for _, c := range e.Cells() {
		for _, h := range e.Holdings(c) {
			if h == what {
				return true
			}
		}
	}
	return false
}

// Rules: TRK-14.
func TestLightsOutliveTheirClipOnlyByAReadingTakenLater(t *testing.T) {
	for name, c := range map[string]struct {
		lag  time.Duration // of the newest reading
		want int
	}{
		"the lights stay on":   {0, 1},
		"they are read seldom": {500 * time.Millisecond, 1},
		"their chip hangs":     {time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOutlived()
			for ms := time.Duration(0); ms <= 1560; ms += 60 {
				now := epoch.Add(ms * time.Millisecond)
				o.note(now, now.Add(-c.lag), "lights", "blue", false)
			}
			if len(o.wrong) != c.want {
				t.Errorf("complaints %q, want %d", o.wrong, c.want)
			}
		})
	}
}
