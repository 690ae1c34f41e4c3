package headless

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/intents"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/simrobot"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/resources"
)

// A Line is one line of a headless run's script: a fault, a person's act or an operator's request at an instant since the start.
type Line struct {
	At   time.Duration
	Text string
	do   func(h *run) error
}

// SortScript orders lines by time; lines of one instant keep their order.
func SortScript(lines []Line) {
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(a.At, b.At) })
}

// ParseFault reads "12.5s motors brownout 2s": when, device, kind, how long (0s or nothing: until the end).
func ParseFault(text string, s setup.Options) (Line, error) {
	words := strings.Fields(text)
	if len(words) != 3 && len(words) != 4 {
		return Line{}, fmt.Errorf("fault %q: want \"TIME DEVICE KIND [FOR]\", for example \"12.5s motors brownout\"", text)
	}
	at, err := parseTime(words[0])
	if err != nil {
		return Line{}, fmt.Errorf("fault %q: %w", text, err)
	}
	var span time.Duration
	if len(words) == 4 {
		if span, err = parseTime(words[3]); err != nil {
			return Line{}, fmt.Errorf("fault %q: %w", text, err)
		}
	}
	device, kind := words[1], words[2]
	// A robot of that kind that is never run checks device and kind.
	never := sim.New(sim.Options{Profile: s.Profile(), Now: time.Unix(0, 0)})
	never.SetFreeze(func(time.Duration) {})
	if err := never.Fault(device, kind, span); err != nil {
		return Line{}, fmt.Errorf("fault %q: %s", text, strings.TrimPrefix(err.Error(), "fault: "))
	}
	return Line{At: at, Text: "fault " + text, do: func(h *run) error { return h.robot.Rig.Fault(device, kind, span) }}, nil
}

// ParseFaults reads a file with one fault a line; "#" begins a comment.
func ParseFaults(name string, r io.Reader, s setup.Options) (lines []Line, err error) {
	var errs []error
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		text, _, _ := strings.Cut(in.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		l, err := ParseFault(text, s)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, n, err))
			continue
		}
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", name, err))
	}
	return lines, errors.Join(errs...)
}

// operatorWords, never written, are the acts of an operator; the others are those of a person ([control.Acts]).
var operatorWords = []string{"cancel", "do", "drive", "estop", "feature", "hear", "intent", "reaction", "resume", "run-behavior", "var", "wake"}

// pairWords are those of them that need a name and a value that both are names. Never written.
var pairWords = []string{"feature", "reaction"}

// ParseAct reads "30s pickup", "31s touch seconds=3", "40s place x_mm=0 y_mm=100 heading_rad=1", "60s intent come_here k=v",
// "65s do TurnInPlace angle_deg=90", "66s drive 80 80", "70s run-behavior Wait" and the like. Intents and behaviors must exist.
func ParseAct(text string, s setup.Options) (Line, error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return Line{}, fmt.Errorf("act %q: want \"TIME ACT [KEY=VALUE…]\", for example \"30s pickup\"", text)
	}
	at, err := parseTime(words[0])
	if err == nil {
		var do func(h *run) error
		if do, err = parseAct(words[1], words[2:], s); err == nil {
			return Line{At: at, Text: "act " + text, do: do}, nil
		}
	}
	return Line{}, fmt.Errorf("act %q: %w", text, err)
}

// heard is the intent that a message of the cloud stands for: its name, and parameters that are texts.
func heard(args []string, s setup.Options) (c engine.Command, err error) {
	params, err := control.ParsePairs(args[1:])
	if err != nil {
		return c, err
	}
	raw, err := json.Marshal(map[string]any{"intent": args[0], "params": params})
	if err != nil {
		return c, err
	}
	h, err := s.Catalog.Intents.Cloud(raw, intents.Open)
	if err != nil {
		return c, err
	}
	if !slices.Contains(s.Catalog.Boot.Intents, h.Intent.Tag) {
		return c, resources.Unknown("intent", args[0], s.Catalog.Boot.Intents)
	}
	return engine.Command{Kind: engine.PostIntent, Intent: h.Intent, Gate: h.Gate}, nil
}

// chooses reads an override of a feature, or a reaction.
func chooses(word string, args []string, s setup.Options) (c engine.Command, err error) {
	if word == "reaction" {
		if c = (engine.Command{Kind: engine.SetReaction, ID: args[0]}); args[1] != noReaction {
			c.To = args[1]
		}
		return c, nil
	}
	if !slices.Contains(s.Catalog.Boot.Features, args[0]) {
		return c, resources.Unknown("feature", args[0], s.Catalog.Boot.Features)
	}
	to, err := engine.ParseOverride(args[1])
	return engine.Command{Kind: engine.SetFeature, ID: args[0], Force: to}, err
}

// steers reads speeds of the wheels. It interrupts the actions that hold them.
func steers(args []string) (c engine.Command, err error) {
	if len(args) != 2 {
		return c, errors.New("drive needs the speeds of the left and the right wheel in mm/s, such as drive 80 80")
	}
	c = engine.Command{Kind: engine.SteerBody, Interrupt: true}
	for i, mmps := range []*float64{&c.Steer.LeftMMPS, &c.Steer.RightMMPS} {
		if *mmps, err = strconv.ParseFloat(args[i], 64); err != nil {
			return c, fmt.Errorf("drive: %q is no speed in mm/s, such as 80", args[i])
		}
	}
	if err := c.Steer.Check(); err != nil {
		return c, fmt.Errorf("drive: %w", err)
	}
	return c, nil
}

// noReaction stands for no behavior.
const noReaction = "none"

func parseAct(word string, args []string, s setup.Options) (func(h *run) error, error) {
	command := func(c engine.Command) func(h *run) error {
		return func(h *run) error { return h.post(c) }
	}
	switch {
	case word == "cancel":
		return command(engine.Command{Kind: engine.Cancel}), none(args)
	case word == "wake":
		return command(engine.Command{Kind: engine.WakeWord}), none(args)
	case word == "estop":
		return func(h *run) error {
			h.robot.EStop(h.system.Inbox())
			return nil
		}, none(args)
	case word == "resume":
		return func(h *run) error {
			stop := h.robot.Safety.State().Stop
			if _, err := h.robot.Safety.Resume(stop); err != nil {
				return err
			}
			return h.post(engine.Command{Kind: engine.Resume, Stop: stop})
		}, none(args)
	case word == "run-behavior" && len(args) == 1:
		if !slices.Contains(s.Catalog.IDs(), args[0]) {
			return nil, resources.Unknown("behavior", args[0], s.Catalog.IDs())
		}
		return command(engine.Command{Kind: engine.RunBehavior, ID: args[0]}), nil
	case word == "var" && len(args) == 2:
		n, err := strconv.ParseInt(args[1], 10, 32)
		if err != nil {
			err = fmt.Errorf("var %s: %q is no whole number of 32 bits, such as 5", args[0], args[1])
		}
		return command(engine.Command{Kind: engine.SetVar, ID: args[0], Value: int32(n)}), err
	case word == "intent" && len(args) > 0:
		if !slices.Contains(s.Catalog.Boot.Intents, args[0]) {
			return nil, resources.Unknown("intent", args[0], s.Catalog.Boot.Intents)
		}
		data, err := control.ParsePairs(args[1:])
		return command(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: args[0], Data: data, Source: "script"}}), err
	case word == "do" && len(args) > 0:
		params, err := control.ParsePairs(args[1:])
		if err == nil {
			_, _, err = registry.Make(args[0], params, s.Catalog.Animations)
		}
		return command(engine.Command{Kind: engine.DoAction, ID: args[0], Params: params, At: actions.PositionInParallel, Interrupt: true}), err
	case word == "drive":
		c, err := steers(args)
		return command(c), err
	case word == "hear" && len(args) > 0:
		c, err := heard(args, s)
		return command(c), err
	case slices.Contains(pairWords, word) && len(args) == 2:
		c, err := chooses(word, args, s)
		return command(c), err
	case slices.Contains(control.Acts(), word):
		a, err := actOf(word, args)
		if err == nil {
			err = simrobot.Takes(s.Profile(), word)
		}
		return func(h *run) error {
			text, err := h.robot.Act(a, h.system.Inbox().Raise)
			if err == nil {
				h.person(text)
			}
			return err
		}, err
	case slices.Contains(operatorWords, word):
		return nil, fmt.Errorf("%s needs a name%s", word, map[bool]string{true: " and a value"}[word == "var" || slices.Contains(pairWords, word)])
	}
	return nil, resources.Unknown("act", word, slices.Concat(control.Acts(), operatorWords))
}

func none(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%q is too much", args[0])
	}
	return nil
}

// actOf reads the parameters of a person's act by their JSON names.
func actOf(word string, args []string) (control.Act, error) {
	a := control.Act{Act: word}
	pairs, err := control.ParsePairs(args)
	if err != nil {
		return a, err
	}
	numbers := map[string]*float64{"seconds": &a.Seconds, "x_mm": &a.XMM, "y_mm": &a.YMM, "heading_rad": &a.HeadingRad}
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		value := pairs[key]
		switch into := numbers[key]; {
		case key == "name":
			a.Name = value
		case key == "id":
			if a.ID, err = strconv.Atoi(value); err != nil {
				return a, fmt.Errorf("id: %q is no number", value)
			}
		case into == nil:
			return a, resources.Unknown("parameter", key, []string{"heading_rad", "id", "name", "seconds", "x_mm", "y_mm"})
		default:
			if *into, err = strconv.ParseFloat(value, 64); err != nil {
				return a, fmt.Errorf("%s: %q is no number", key, value)
			}
		}
	}
	return a, a.Validate()
}

func parseTime(word string) (time.Duration, error) {
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is no time such as 12.5s or 3m", word)
	}
	return d, nil
}
