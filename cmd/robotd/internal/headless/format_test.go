package headless

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/format/formattest"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// outOfReach are behaviors whose moment the simulated robot never has, and why.
func outOfReach() map[string]string {
	return map[string]string{
		"PutDownBlock":           "the simulated lift holds nothing",
		"PutDownBlockAtPose":     "the simulated lift holds nothing",
		"VectorPlaysCubeSpinner": "no cube of the simulator has a radio",
		"ReactToRobotOnBack":     "nobody tips the simulated robot over",
		"ReactToRobotOnFace":     "nobody tips the simulated robot over",
		"ReactToRobotOnSide":     "nobody tips the simulated robot over",
	}
}

// A day is the script of a day: hours that repeat, with people, cubes, faults and voice.
type day struct {
	t     *testing.T
	opts  setup.Options
	lines []Line
	home  [3]float64 // where the robot was put to begin with
}

func (d *day) act(at time.Duration, text string) {
	d.t.Helper()
	l, err := ParseAct(at.String()+" "+text, d.opts)
	if err != nil {
		d.t.Fatal(err)
	}
	d.lines = append(d.lines, l)
}

func (d *day) fault(at time.Duration, text string) {
	d.t.Helper()
	l, err := ParseFault(at.String()+" "+text, d.opts)
	if err != nil {
		d.t.Fatal(err)
	}
	d.lines = append(d.lines, l)
}

// hour adds what happens in one hour that begins at a time.
func (d *day) hour(begin time.Duration, n int) {
	at := func(minutes float64) time.Duration { return begin + time.Duration(minutes*float64(time.Minute)) }
	people := []string{"Ada", "Bo", ""}
	name := people[n%len(people)]
	if name != "" {
		name = " name=" + name
	}
	d.act(at(1), "face seconds=240"+name)
	d.act(at(6), "touch seconds=20")
	d.act(at(8), "pickup")
	d.act(at(8.1), "shake seconds=15")
	d.act(at(9), "putdown")
	d.act(at(10), "poke")
	d.act(at(11), "wake")
	d.act(at(12), "beat seconds=30")
	d.act(at(14), "dark seconds=60")
	d.act(at(16), "motion seconds=20")
	d.act(at(18), "palm")
	d.act(at(19), "putdown")
	d.act(at(20), "pet")
	d.act(at(21), "button")
	d.act(at(22), "twist seconds=3")
	d.act(at(23), "heat seconds=30")
	d.act(at(24), "tap")
	d.act(at(25), "point seconds=20")
	if n%3 == 0 {
		d.lines = append(d.lines, Line{At: at(28), Text: "home", do: func(h *run) error {
			h.robot.Rig.Place(d.home[0], d.home[1], d.home[2])
			return nil
		}})
		return
	}
	d.act(at(28), "place x_mm=0 y_mm=0 heading_rad=0")
	d.lines = append(d.lines, Line{At: at(30), Text: "cube before it", do: func(h *run) error {
		p := h.robot.Rig.View().Robot
		h.robot.Rig.MoveCube(0, p.XMM+140, p.YMM, 0)
		return nil
	}})
	d.act(at(44), "place x_mm=575 y_mm=0 heading_rad=0")
	d.act(at(48), "place x_mm=-100 y_mm=0 heading_rad=3")
	d.fault(at(50), "cliff garbage 20s")
	d.fault(at(52), "imu brownout")
	d.fault(at(54), "range frozen 30s")
	d.fault(at(56), "battery nack 20s")
}

// script makes the script of a life: each intent several times a day, in another order each hour.
func (d *day) script(span time.Duration) []Line {
	d.lines = []Line{{At: time.Second, Text: "where it begins", do: func(h *run) error {
		p := h.robot.Rig.View().Robot
		d.home = [3]float64{p.XMM, p.YMM, p.HeadingRad}
		return nil
	}}}
	tags := d.opts.Catalog.Boot.Intents
	for n := 0; time.Duration(n)*time.Hour < span; n++ {
		d.hour(time.Duration(n)*time.Hour, n)
	}
	for n := 0; ; n++ {
		at := time.Duration(n)*37*time.Second + 5*time.Second
		if at >= span {
			break
		}
		d.act(at, "intent "+tags[n%len(tags)])
	}
	lines := slices.DeleteFunc(d.lines, func(l Line) bool { return l.At >= span })
	SortScript(lines)
	return lines
}

// spanOfLife is how long the robot lives: an hour, or what ROBOTD_DAY says. After a whole day every stand-in has had its moment.
func spanOfLife(t *testing.T) time.Duration {
	text := os.Getenv("ROBOTD_DAY")
	if text == "" {
		return time.Hour
	}
	span, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return span
}

// A robot with a behavior of every class of the format lives: its stand-ins too. Goal: issue of a whole robot's tree.
func TestRobotLivesWithEveryClassOfTheFormat(t *testing.T) {
	classes := library.Registry()
	s := livingOptions(t, formattest.Tree(t, classes), classes)
	d := day{t: t, opts: s}
	span := spanOfLife(t)
	var log refusals
	s.Log = slog.New(&log)
	sum, err := Run(context.Background(), s, Options{For: span, Script: d.script(span)})
	if err != nil {
		t.Fatal(err)
	}
	if sum.LifecycleViolations+sum.Refusals+sum.Panics+sum.Hangs > 0 {
		t.Errorf("%d violations, %d refusals, %d panics, %d hangs\n%s", sum.LifecycleViolations, sum.Refusals, sum.Panics, sum.Hangs, strings.Join(log.first, "\n"))
	}
	var idle []string
	lived := 0
	for _, e := range reached(s.Catalog) {
		switch {
		case e.Class.State != behaviors.StandIn:
		case sum.Activations[e.ID] > 0:
			lived++
			if why := outOfReach()[e.ID]; why != "" {
				t.Errorf("%s was activated, although %s", e.ID, why)
			}
		case outOfReach()[e.ID] == "":
			idle = append(idle, e.ID)
		}
	}
	t.Logf("%d stand-ins had control in %v, %d did not; %.0f× real time", lived, span, len(idle), sum.SpeedX)
	if span >= 24*time.Hour && len(idle) > 0 {
		t.Errorf("never had control: %s", strings.Join(idle, ", "))
	}
	if lived < 150 {
		t.Errorf("only %d stand-ins had control", lived)
	}
}

// reached are the behaviors that the base leads to. A behavior that never wants control leads nowhere.
func reached(cat *catalog.Catalog) (list []*catalog.Entry) {
	seen := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		e := cat.Find(id)
		if seen[id] || e.Class.State == behaviors.Inert {
			return
		}
		seen[id] = true
		list = append(list, e)
		for _, next := range e.Delegates {
			visit(next)
		}
	}
	visit(formattest.Base)
	return list
}

// refusals is a log that keeps the first lines that tell of a refusal.
type refusals struct{ first []string }

func (r *refusals) Enabled(context.Context, slog.Level) bool { return true }

func (r *refusals) Handle(_ context.Context, rec slog.Record) error {
	if len(r.first) < 20 && (rec.Message == "refused" || rec.Message == "misused" || rec.Message == "lifecycle violation") {
		rec.Attrs(func(a slog.Attr) bool {
			r.first = append(r.first, fmt.Sprintf("%s: %s %s", rec.Message, a.Key, a.Value))
			return true
		})
	}
	return nil
}

func (r *refusals) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r *refusals) WithGroup(string) slog.Handler      { return r }

func livingOptions(t *testing.T, tree fs.FS, classes *behaviors.Registry) setup.Options {
	t.Helper()
	var cat *catalog.Catalog
	cat, diags := setup.Tree{FS: tree}.Catalog(classes)
	if cat == nil {
		t.Fatalf("%.4000s", diags)
	}
	s := setup.Options{Catalog: cat, Seed: 1, Log: slog.New(slog.DiscardHandler), Version: "test"}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}
