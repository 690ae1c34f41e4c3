package runstats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// A Summary is the result of a run. Falls, Dockings and DistanceM come from the world's geometry.
type Summary struct {
	Robot               string            `json:"robot"`
	Seed                uint64            `json:"seed"`
	Ticks               uint64            `json:"ticks"`
	SimSeconds          float64           `json:"sim_seconds"`
	WallSeconds         float64           `json:"wall_seconds"`
	SpeedX              float64           `json:"speed_x"` // simulated over wall time
	Falls               uint64            `json:"falls"`
	Dockings            uint64            `json:"dockings"`
	Greetings           uint64            `json:"greetings"` // activations of the behaviors that greet
	DistanceM           float64           `json:"distance_m"`
	LifecycleViolations uint64            `json:"lifecycle_violations"`
	Refusals            uint64            `json:"refusals"`
	Panics              uint64            `json:"panics"`
	Hangs               uint64            `json:"hangs"`
	Restarts            uint64            `json:"restarts"` // of devices and behaviors
	Activations         map[string]uint64 `json:"activations"`
	// Times is the share of the time in which each behavior had control, that is, was on top of the stack. Idle is the share of free play, and
	// of waiting in its place, in which the robot sat still and silent for more than two seconds on end; absent without free play.
	Times map[string]float64 `json:"times,omitempty"`
	Idle  *float64           `json:"idle,omitempty"`
	// Faces and Lights are the share of the time of each expression, and of each color of the back lights.
	Faces        map[string]float64 `json:"faces,omitempty"`
	Lights       map[string]float64 `json:"lights,omitempty"`
	Blinks       uint64             `json:"blinks"`
	Bus          *Bus               `json:"bus,omitempty"`
	DecisionHash string             `json:"decision_hash,omitempty"`
}

// Bus is what was measured of the robot's bus, and how often the devices are polled for that.
type Bus struct {
	KHz     float64            `json:"kHz"`
	CostUS  float64            `json:"cost_us"` // of a transaction besides its bytes
	Load    float64            `json:"load"`    // wanted at the present periods
	Stretch float64            `json:"stretch"` // of the periods that are wanted
	Periods map[string]float64 `json:"periods_ms"`
	Refused string             `json:"refused,omitempty"` // why the robot does not drive on this bus
}

// BusOf makes the summary of a bus.
func BusOf(s device.RateState) *Bus {
	b := &Bus{
		KHz: Round3(s.Hz / 1e3), CostUS: Round3(s.Cost.Seconds() * 1e6), Load: Round3(s.Load), Stretch: Round3(s.Stretch),
		Periods: map[string]float64{},
	}
	for name, p := range s.Periods {
		b.Periods[name] = Round3(p.Seconds() * 1e3)
	}
	if s.Refusal != nil {
		b.Refused = s.Refusal.Error()
	}
	return b
}

// greetClass is the class whose activations are greetings.
const greetClass = "GreetFace"

// Summarize makes the summary of a robot that has stopped.
func Summarize(o setup.Options, c *Counters, stats sim.Stats, simulated, wall time.Duration) Summary {
	sum := Summary{
		Robot: o.Profile().Name, Seed: o.Seed, Ticks: c.Ticks.Load(), SimSeconds: Round3(simulated.Seconds()), WallSeconds: Round3(wall.Seconds()),
		Falls: stats.Falls, Dockings: stats.Dockings, DistanceM: Round3(stats.DistanceM),
		LifecycleViolations: c.Violations.Load(), Refusals: c.Refusals.Load(), Panics: c.Panics.Load(),
		Hangs: c.Hangs.Load(), Restarts: c.Restarts.Load(), Activations: maps.Clone(c.activations),
		Greetings: greetings(o.Catalog, c.activations),
	}
	if wall > 0 {
		sum.SpeedX = math.Round(simulated.Seconds() / wall.Seconds())
	}
	if l := c.looks; l.ticks > 0 {
		sum.Faces, sum.Lights, sum.Blinks = l.faces.share(l.ticks), l.lights.share(l.ticks), l.blinks
	}
	if t := c.times; t.ticks > 0 {
		sum.Times = t.share()
		if t.play > 0 {
			idle := Round3(float64(t.idle) / float64(t.play))
			sum.Idle = &idle
		}
	}
	if c.hash != nil {
		sum.DecisionHash = c.hash.Sum()
	}
	return sum
}

func greetings(c *catalog.Catalog, activations map[string]uint64) (n uint64) {
	for _, e := range c.Entries {
		if e.Class.Name == greetClass {
			n += activations[e.ID]
		}
	}
	return n
}

// Round3 rounds to three decimals.
func Round3(v float64) float64 { return math.Round(v*1000) / 1000 }

// SummaryFormats are what --summary may name.
func SummaryFormats() []string { return []string{"json", "text"} }

// Write prints the summary as one JSON object on one line, or as text for people.
func (s Summary) Write(w io.Writer, format string) error {
	if format == "json" {
		return json.NewEncoder(w).Encode(s)
	}
	var err error
	put := func(form string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, form, args...)
		}
	}
	put("%.0f s of robot life in %.1f s (%.0f times as fast), robot %s, seed %d, %d ticks\n", s.SimSeconds, s.WallSeconds, s.SpeedX, s.Robot, s.Seed, s.Ticks)
	put("  driven %.1f m, %d falls, %d dockings, %d greetings\n", s.DistanceM, s.Falls, s.Dockings, s.Greetings)
	put("  %d lifecycle violations, %d refusals, %d panics, %d hangs, %d restarts\n", s.LifecycleViolations, s.Refusals, s.Panics, s.Hangs, s.Restarts)
	put("  face %s; %d blinks\n", shares(s.Faces), s.Blinks)
	put("  lights %s\n", shares(s.Lights))
	put("  control %s\n", shares(s.Times))
	if s.Idle != nil {
		put("  idle %.0f %% of free play\n", 100**s.Idle)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Activations)) {
		put("  %6d × %s\n", s.Activations[id], id)
	}
	if s.DecisionHash != "" {
		put("  decision hash %s\n", s.DecisionHash)
	}
	return err
}

// shares are the names with a whole percent or more, the largest share first.
func shares(m map[string]float64) string {
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	var parts []string
	for _, n := range names {
		if m[n] >= 0.01 {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", cmp.Or(n, "off"), 100*m[n]))
		}
	}
	return strings.Join(parts, ", ")
}
