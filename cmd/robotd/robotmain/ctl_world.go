package robotmain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/resources"
)

// worldCommands are what a person can do to the simulated robot.
func (r *remote) worldCommands() []*cobra.Command {
	return []*cobra.Command{
		r.act("pickup", "Lift the robot"),
		r.act("putdown", "Set the robot down where it was lifted"),
		r.timed("touch", "Put a hand on the robot's back"),
		r.timed("shake", "Shake the robot"),
		r.act("poke", "Poke the robot"),
		r.act("edge", "Push the robot near the table's edge"),
		r.act("palm", "Lay the robot on a palm; put it down with putdown"),
		r.timed("twist", "Turn the robot around by hand, on its wheels"),
		r.timed("button", "Hold the power button down"),
		r.act("tap", "Tap the connected cube"),
		r.timed("motion", "Move something in a part of the camera's picture"),
		r.timed("point", "Show the camera something worth a look"),
		r.timed("pet", "Bring a pet in front of the camera"),
		r.timed("beat", "Play music; after two seconds its beat is sure"),
		r.timed("dark", "Switch the light off"),
		r.timed("heat", "Warm battery and processor, so that the charger pauses"),
		r.named("habitat", "Say whether the table is the robot's habitat"),
		r.face(),
		r.placed("carry", "Take the robot in hand and hold it over a place"),
		r.placed("place", "Set the robot down somewhere"),
		r.placed("cube", "Move the nearest cube, or one by its number, somewhere"),
		r.placed("person", "Make a person stand somewhere else"),
	}
}

func (r *remote) act(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short + " (simulated world)", Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return r.post(c, "/v1/world", control.Act{Act: name}) },
	}
}

// named is an act on one of some names.
func (r *remote) named(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name + " [NAME]", Short: short + " (simulated world)", Long: short + ".\n\n" + nameHelp(name), Args: want(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			a := control.Act{Act: name, Name: first(args)}
			if err := a.Validate(); err != nil {
				return usage("%v", err)
			}
			return r.post(c, "/v1/world", a)
		},
	}
}

func nameHelp(act string) string {
	names := control.ActNames(act)
	return fmt.Sprintf("NAME is one of %v; without it %s.", names, names[0])
}

func (r *remote) timed(name, short string) *cobra.Command {
	var span time.Duration
	use, long, most := name, "", 0
	if control.ActNames(name) != nil {
		use, long, most = name+" [NAME]", short+".\n\n"+nameHelp(name), 1
	}
	c := &cobra.Command{
		Use: use, Short: short + " (simulated world)", Long: long, Args: want(0, most),
		RunE: func(c *cobra.Command, args []string) error {
			if span <= 0 {
				return usage("--for %v: the time must be positive", span)
			}
			if err := control.ValidSpan(span); err != nil {
				return usage("--for: %v", err)
			}
			a := control.Act{Act: name, Name: first(args), Seconds: span.Seconds()}
			if err := a.Validate(); err != nil {
				return usage("%v", err)
			}
			return r.post(c, "/v1/world", a)
		},
	}
	def := 2 * time.Second
	if slices.Contains([]string{"beat", "dark", "heat", "pet"}, name) {
		def = 10 * time.Second
	}
	c.Flags().DurationVar(&span, "for", def, "for how long")
	return c
}

func (r *remote) face() *cobra.Command {
	var span time.Duration
	var hide bool
	c := &cobra.Command{
		Use:   "face [NAME]",
		Short: "Show the robot a face, or hide it (simulated world)",
		Args:  want(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case span < 0:
				return usage("--for %v: the time must not be negative", span)
			case hide && len(args) > 0:
				return usage("%s is too much: --hide sends everybody away", strconv.Quote(args[0]))
			case hide:
				return r.post(c, "/v1/world", control.Act{Act: "hideface"})
			}
			if err := control.ValidSpan(span); err != nil {
				return usage("--for: %v", err)
			}
			return r.post(c, "/v1/world", control.Act{Act: "face", Name: first(args), Seconds: span.Seconds()})
		},
	}
	c.Flags().DurationVar(&span, "for", 0, "for how long; 0 = until hidden")
	c.Flags().BoolVar(&hide, "hide", false, "the face goes away")
	return c
}

func (r *remote) placed(name, short string) *cobra.Command {
	var id int
	c := &cobra.Command{
		Use:     name + " X_MM Y_MM [HEADING_RAD]",
		Short:   short + " (simulated world)",
		Example: "  robotd ctl " + name + " 0 100 1.57\n  robotd ctl " + name + " -- -50 0",
		Args:    want(2, 3),
		RunE: func(c *cobra.Command, args []string) error {
			a := control.Act{Act: name, ID: id}
			for i, into := range []*float64{&a.XMM, &a.YMM, &a.HeadingRad}[:len(args)] {
				v, err := strconv.ParseFloat(args[i], 64)
				if err != nil {
					return usage("%s is no number; usage: %s", strconv.Quote(args[i]), c.UseLine())
				}
				*into = v
			}
			if err := a.Validate(); err != nil {
				return usage("%v", err)
			}
			return r.post(c, "/v1/world", a)
		},
	}
	if name == "cube" || name == "person" {
		c.Flags().IntVar(&id, "id", 0, "number of the "+name+", as in the world of ctl state")
	}
	return c
}

func (r *remote) fault() *cobra.Command {
	var span time.Duration
	c := &cobra.Command{
		Use:   "fault [DEVICE KIND]",
		Short: "Break a chip, a bus or a line of the simulated robot",
		Long: "Fault breaks something behind a driver's back. Without arguments it lists what the robot has that can be broken, and how.\n\n" +
			"Kinds: " + strings.Join(sim.Kinds(), " ") + "\n\nNot every kind makes sense everywhere; the answer says why.",
		Example: "  robotd ctl fault\n  robotd ctl fault motors absent --for 2s",
		Args:    want(0, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return r.breakable(c)
			case 1:
				return usage("%s lacks its KIND, one of %s; usage: robotd ctl fault DEVICE KIND", strconv.Quote(args[0]), strings.Join(sim.Kinds(), " "))
			}
			switch {
			case !slices.Contains(sim.Kinds(), args[1]):
				return usage("%v", resources.Unknown("kind of fault", args[1], sim.Kinds()))
			case span < 0:
				return usage("--for %v: the time must not be negative", span)
			}
			if err := control.ValidSpan(span); err != nil {
				return usage("--for: %v", err)
			}
			if err := r.hasDevice(c, args[0]); err != nil {
				return err
			}
			return r.post(c, "/v1/fault", control.FaultRequest{Device: args[0], Kind: args[1], Seconds: span.Seconds()})
		},
	}
	c.Flags().DurationVar(&span, "for", 0, "heal after this time; 0 = stay until robotd ctl faults --clear")
	return c
}

// hasDevice refuses a device that the robot has not. What is no device of any robot is refused without asking for it.
func (r *remote) hasDevice(c *cobra.Command, device string) error {
	everywhere := append(sim.FaultDevices(), hardware.Names...)
	var s control.State
	_, err := r.get(c.Context(), "/v1/state", &s)
	switch {
	case err != nil && slices.Contains(everywhere, device):
		return err
	case err != nil:
		return usage("%v", resources.Unknown("device", device, sim.FaultDevices()))
	case len(s.Parts.Breaks) > 0 && !slices.Contains(everywhere, device):
		return usage("%v", resources.Unknown("device", device, s.Parts.Breaks))
	}
	return nil // the robot tells why it has no such device
}

// breakable lists what can be broken of the robot that answers.
func (r *remote) breakable(c *cobra.Command) error {
	var s control.State
	if _, err := r.get(c.Context(), "/v1/state", &s); err != nil {
		return err
	}
	if r.json {
		return json.NewEncoder(c.OutOrStdout()).Encode(struct {
			Devices []string `json:"devices"`
			Kinds   []string `json:"kinds"`
		}{append([]string{}, s.Parts.Breaks...), sim.Kinds()})
	}
	if len(s.Parts.Breaks) == 0 {
		_, err := fmt.Fprintf(c.OutOrStdout(), "nothing of %s can be broken from here\n", s.Robot)
		return err
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "devices of %s: %s\nkinds: %s\n", s.Robot, strings.Join(s.Parts.Breaks, " "), strings.Join(sim.Kinds(), " "))
	return err
}
