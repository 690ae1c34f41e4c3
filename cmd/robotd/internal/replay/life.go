package replay

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/metrics/record"
)

// Tree returns the resource tree that the robot lived with, which is attached to its recording.
func Tree(h record.History) (setup.Tree, error) {
	tree, err := h.Resources()
	if err != nil {
		return setup.Tree{}, fmt.Errorf("the resources of the recording: %w", err)
	}
	hash, err := record.TreeHash(tree)
	if err != nil {
		return setup.Tree{}, fmt.Errorf("the resources of the recording: %w", err)
	}
	if want := h.Life().ResourcesHash; want != "" && hash != want {
		return setup.Tree{}, fmt.Errorf("the resources of the recording are damaged: their hash is %.12s, want %.12s", hash, want)
	}
	return setup.Tree{FS: tree, Foreign: h.Life().Foreign}, nil
}

// Here describes this program as a recording does.
func Here(version string) record.Life {
	return record.Life{Version: version, Go: runtime.Version(), Arch: setup.Arch()}
}

// Warnings says what of this program is not that of the recording, so that the decisions may differ.
func Warnings(recorded, here record.Life) (warnings []string) {
	differs := func(what, was, is, why string) {
		if was != is && was != "" {
			warnings = append(warnings, fmt.Sprintf("recorded %s %s, this is %s: %s", what, was, is, why))
		}
	}
	differs("on", recorded.Arch, here.Arch, "the two round some products otherwise, so the decisions may part after minutes")
	differs("by robotd", recorded.Version, here.Version, "what changed in between may show")
	differs("with", recorded.Go, here.Go, "another compiler may round otherwise")
	return warnings
}

// errNoTape is for a recording without the topic of a replay.
var errNoTape = errors.New("the recording has no topic " + record.Tape + ": it cannot be decided again, and is still good for why and view")

// each decodes the entries of a recording, in order, until yield returns false.
func each(h record.History, yield func(at record.Instant, e *tape.Entry) bool) error {
	var d tape.Decoder
	var wrong error
	any := false
	err := h.Scan([]string{record.Tape}, 0, math.MaxUint64, func(m record.Message) bool {
		var e *tape.Entry
		if e, wrong = d.Next(m.Data); wrong != nil {
			wrong = plain(wrong, h, any)
			return false
		}
		any = true
		return yield(record.Instant{Tick: m.Tick, At: m.At}, e)
	})
	switch {
	case wrong != nil:
		return wrong
	case err != nil:
		return err
	case !any:
		return errNoTape
	}
	return nil
}

// An Unreadable recording cannot be decided again from some point on. Err is of package tape.
type Unreadable struct {
	Text string
	Err  error
}

func (u *Unreadable) Error() string { return u.Text }

// Unwrap returns why.
func (u *Unreadable) Unwrap() error { return u.Err }

// plain words why a recording cannot be decided again, and what it is still good for.
func plain(err error, h record.History, begun bool) error {
	first, _ := h.Span()
	text := strings.TrimPrefix(err.Error(), "engine: tape: ")
	switch {
	case errors.Is(err, tape.ErrVersion):
	case begun:
		text += "; from there on it cannot be decided again"
	case errors.Is(err, tape.ErrGap):
		text = fmt.Sprintf("the recording begins in mid-life, with tick %d at %v: no tick of it can be decided again without the files before it "+
			"(part of life %s), which are gone", first.Tick, first.At.Round(time.Millisecond), h.Life().ID)
	}
	return &Unreadable{text + "; it is still good for why and view", err}
}

// Reloads calls see with each change of definitions that a tick of a recorded life was asked for, in order, until see returns false.
func Reloads(h record.History, see func(tick uint64, c *engine.Command) bool) error {
	return each(h, func(at record.Instant, e *tape.Entry) bool {
		for i := range e.Input.Commands {
			if c := &e.Input.Commands[i]; c.Kind == engine.Reload && !see(at.Tick, c) {
				return false
			}
		}
		return true
	})
}
