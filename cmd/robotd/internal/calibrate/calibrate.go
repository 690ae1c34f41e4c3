package calibrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// A Job is what a person does with the robot.
type Job int

// The jobs.
const (
	Rest     Job = iota // it stands still
	Floor               // it stands on its usual floor, away from edges
	Lift                // it is held half a meter above the floor
	Clear               // it stands where it can drive
	Around              // it stands where it can turn
	NoseUp              // its nose is held up, steep
	TurnLeft            // it is being turned to the left, by hand
)

// A Quantity is what a person measures.
type Quantity struct {
	what string
	of   string // of several
}

// The quantities.
var (
	WayMM = Quantity{what: "way"}   // how far it drove since it stood where it is Clear
	Volts = Quantity{what: "volts"} // of its battery
)

// Hertz is the frequency of the outputs of a PWM chip.
func Hertz(chip string) Quantity { return Quantity{"frequency", chip} }

// A Question is what a person sees: whether a servo touches an end of its travel.
type Question struct {
	Joint string
	High  bool // the high end
}

// An Operator is the person.
type Operator interface {
	// Do returns when the job is done.
	Do(ctx context.Context, job Job, text string) error
	// Number asks for a quantity.
	Number(ctx context.Context, q Quantity, text string) (float64, error)
	// Yes asks a question.
	Yes(ctx context.Context, q Question, text string) (bool, error)
}

// ErrSkipped says that the person left a step out.
var ErrSkipped = errors.New("left out")

// A Bench is a robot whose devices nobody else uses.
type Bench struct {
	Board    device.Board // its Calibration is what was measured before
	Safety   *device.Safety
	Clock    hardware.Clock
	Operator Operator
	Out      io.Writer
	// Keep keeps what is known after each step.
	Keep func(profile.Calibration) error
}

// A Step measures one thing.
type Step struct {
	Name, Doc string
	keys      func(p *profile.Profile) []string
	// lacks is why the robot has no such step; "" if it has it.
	lacks func(p *profile.Profile) string
	run   func(ctx context.Context, b *Bench) (profile.Calibration, error)
}

// Steps are all steps in their order: those that need others come later.
func Steps() []Step {
	return []Step{
		mountStep, gyroStep, cliffStep, oscillatorStep, endsStep("head"), endsStep("pan"), endsStep("lift"), wheelStep, trackStep, edgesStep, batteryStep,
	}
}

// Names are the names of all steps.
func Names() (names []string) {
	for _, s := range Steps() {
		names = append(names, s.Name)
	}
	return names
}

// Lacks is why that robot has no such step; "" if it has it.
func (s *Step) Lacks(p *profile.Profile) string { return s.lacks(p) }

// Done reports whether all that the step measures is known.
func (s *Step) Done(p *profile.Profile, c profile.Calibration) bool {
	for _, key := range s.keys(p) {
		if _, ok := c[key]; !ok {
			return false
		}
	}
	return true
}

// Choose returns the steps of that robot by name; none stands for those that are not done.
func Choose(names []string, p *profile.Profile, c profile.Calibration) (chosen []Step, err error) {
	for _, s := range Steps() {
		why := s.lacks(p)
		switch {
		case len(names) == 0 && why == "" && !s.Done(p, c), slices.Contains(names, s.Name) && why == "":
			chosen = append(chosen, s)
		case slices.Contains(names, s.Name):
			return nil, fmt.Errorf("robot %s has no step %s: %s", p.Name, s.Name, why)
		}
	}
	for _, name := range names {
		if known := Names(); !slices.Contains(known, name) {
			return nil, resources.Unknown("step", name, known)
		}
	}
	return chosen, nil
}

// Run takes steps one after another. What a step measured is checked and kept before the next begins, so that a run that ends early can go on
// later. A step that fails does not keep the others from being taken.
func (b *Bench) Run(ctx context.Context, steps []Step) error {
	var failed error
	for _, s := range steps {
		_, _ = fmt.Fprintf(b.Out, "%s: %s\n", s.Name, s.Doc)
		switch err := b.take(ctx, &s); {
		case errors.Is(err, ErrSkipped):
			_, _ = fmt.Fprintf(b.Out, "%s: left out\n", s.Name)
		case ctx.Err() != nil:
			return errors.Join(failed, ctx.Err())
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.Name, err))
			_, _ = fmt.Fprintf(b.Out, "%s: %v; nothing is changed\n", s.Name, err)
		}
	}
	return failed
}

func (b *Bench) take(ctx context.Context, s *Step) error {
	p := b.Board.Profile
	found, err := s.run(ctx, b)
	if err == nil {
		err = found.Check(p)
	}
	if err != nil {
		return err
	}
	next := profile.Calibration{}
	maps.Copy(next, b.Board.Calibration)
	maps.Copy(next, found)
	if err := b.Keep(next); err != nil {
		return fmt.Errorf("it cannot be kept: %w", err)
	}
	b.tell(found)
	b.Board.Calibration = next
	return nil
}

// tell prints what changed.
func (b *Bench) tell(found profile.Calibration) {
	for _, key := range slices.Sorted(maps.Keys(found)) {
		old := "the profile's value"
		if v, ok := b.Board.Calibration[key]; ok {
			old = fmt.Sprintf("%.5g", v)
		}
		_, _ = fmt.Fprintf(b.Out, "  %s = %.5g, was %s\n", key, found[key], old)
	}
}
