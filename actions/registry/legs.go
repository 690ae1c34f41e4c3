package registry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/resources"
)

// heldFor is how long a target has to stay in the middle.
const heldFor = 500 * time.Millisecond

// Limits of a path: its legs, the length of one in mm, and its angle in degrees.
const (
	maxLegs = 64
	legMM   = 5000.0
	legDeg  = 720.0
)

// legKinds are how a leg is written.
var legKinds = []string{"arc", "line", "turn"}

// drivePath is the action that follows legs one after the other.
var drivePath = []Kind{{
	Name: "DrivePath", Doc: "drives legs one after the other: straight, turning in place, or along an arc",
	Keys: []Key{
		{Name: "path", Type: Path, Min: 1, Max: maxLegs, Required: true, Doc: "legs such as line:200,turn:90,arc:300:45: length in mm (negative is backward), angle in ° (positive is to the left)"},
		driveSpeed, turnSpeed,
	},
	make: func(v Values) actions.Action {
		legs, _ := readLegs(v.Text("path"))
		for i := range legs {
			legs[i].SpeedMMPS, legs[i].SpeedRadPS = v.Number("speed_mmps"), v.Rad("turn_degps")
		}
		return motion.NewDrivePath(legs)
	},
}}

// readLegs reads a path. The error names the leg by its place, what was expected, and the nearest valid value.
func readLegs(text string) ([]motion.PathSegment, error) {
	parts := strings.Split(text, ",")
	if len(parts) > maxLegs {
		return nil, fmt.Errorf("%d legs; %d are possible", len(parts), maxLegs)
	}
	legs := make([]motion.PathSegment, 0, len(parts))
	for i, part := range parts {
		leg, err := readLeg(strings.Split(strings.TrimSpace(part), ":"))
		if err != nil {
			return nil, fmt.Errorf("leg %d, %q: %w", i+1, part, err)
		}
		legs = append(legs, leg)
	}
	return legs, nil
}

func readLeg(w []string) (leg motion.PathSegment, err error) {
	numbers := map[string]int{"line": 1, "turn": 1, "arc": 2}
	want, ok := numbers[w[0]]
	switch {
	case !ok && !slices.Contains(legKinds, w[0]):
		return leg, resources.Unknown("kind of leg", w[0], legKinds)
	case len(w) != want+1:
		return leg, fmt.Errorf("%d numbers; a leg is line:MM, turn:DEGREES or arc:MM:DEGREES", len(w)-1)
	}
	if w[0] != "turn" {
		if leg.DistanceMM, err = legNumber(w[1], legMM, "mm"); err != nil {
			return leg, err
		}
	}
	if w[0] != "line" {
		var deg float64
		deg, err = legNumber(w[len(w)-1], legDeg, "°")
		leg.AngleRad = deg * rad
	}
	return leg, err
}

func legNumber(text string, limit float64, unit string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || n != n: //nolint:staticcheck // NaN
		return 0, fmt.Errorf("%q is no number such as 90", text)
	case n == 0:
		return 0, fmt.Errorf("0 %s is no way; leave the leg out", unit)
	case n < -limit || n > limit:
		return 0, fmt.Errorf("%s is not between %s and %s %s; the nearest is %s", number(n), number(-limit), number(limit), unit, number(max(-limit, min(limit, n))))
	}
	return n, nil
}
