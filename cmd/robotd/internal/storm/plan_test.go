package storm

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware/sim"
)

// A deed is a request to the control API. Its body is one of the API's, or nil.
type deed struct {
	at   time.Duration
	path string
	body any
}

// Requests whose bodies a plan cannot know.
const (
	stopPath   = "/v1/estop"
	resumePath = "/v1/resume" // of the newest stop
	dockPath   = "dock"       // put on the charger, where the robot started
	clearPath  = "/v1/faults/clear"
	hangPath   = "hang"
)

// A hang is a chip whose transactions do not return for a time, as if the kernel's driver hung. No chip can do that to an adapter, so
// it is no fault of the simulated robot. Virtual time only.
type hang struct {
	addr uint16
	span time.Duration
}

// Every calmEvery of a storm all faults end for calmFor, in which the devices heal and what the process holds is counted. Voices and
// hands go on.
const (
	calmEvery = 3 * time.Minute
	calmFor   = 12 * time.Second
)

// voices is what people say, some of it more often. Robots that sleep or stand still are woken soon.
var voices = []string{
	"come_here", "come_here", "dance", "dance", "explore", "explore", "explore", "explore", "go_home", "look_at_me", "quiet", "sleep", "stop", "wake_up",
}

// people are who looks at the robot, and the numbers that the simulated robot gives them.
var people = []struct {
	name string
	id   int
}{{"", 2}, {"Ada", 1}, {"Grace", 10}}

// planner makes a plan from chance.
type planner struct {
	*rand.Rand
	faults [][2]string // device and kind, all that are possible
	deeds  []deed
}

// plan is what happens in a storm of that seed, in order.
func plan(seed uint64, span time.Duration) []deed {
	p := &planner{Rand: rand.New(rand.NewPCG(seed, 0x73746f726d)), faults: possible()}
	for at := p.between(2, 5); at < span; at += p.between(3, 18) {
		p.person(at)
	}
	begin := time.Duration(0)
	for _, end := range calms(span) {
		p.weather(begin, end)
		p.add(end, clearPath, struct{}{})
		begin = end + calmFor
	}
	slices.SortStableFunc(p.deeds, func(a, b deed) int { return int(a.at - b.at) })
	return p.deeds
}

// calms are the instants at which times without faults begin. The last of them ends a storm.
func calms(span time.Duration) (all []time.Duration) {
	for begin := time.Duration(0); begin+calmFor < span; begin += calmEvery {
		all = append(all, min(begin+calmEvery, span)-calmFor)
	}
	return all
}

func (p *planner) add(at time.Duration, path string, body any) {
	p.deeds = append(p.deeds, deed{at, path, body})
}

func (p *planner) between(least, most float64) time.Duration {
	return time.Duration((least + (most-least)*p.Float64()) * float64(time.Second))
}

// weather breaks devices in gusts, several at a time, with lulls in which the robot drives.
func (p *planner) weather(at, end time.Duration) {
	for at < end {
		gust := at + p.between(5, 40)
		for at += p.between(1, 3); at < min(gust, end); at += p.between(0.2, 3) {
			if p.IntN(12) == 0 {
				p.add(at, hangPath, hang{chips[p.IntN(len(chips))], p.between(0.1, 4)})
			}
			f := p.faults[p.IntN(len(p.faults))]
			long := p.between(0.05, 5).Seconds()
			if p.IntN(30) == 0 {
				long = 0 // until all faults are cleared
			}
			p.add(at, "/v1/fault", control.FaultRequest{Device: f[0], Kind: f[1], Seconds: long})
		}
		p.add(at, clearPath, struct{}{})
		at += p.between(30, 70)
	}
}

// person does something, and what belongs to it a little later.
func (p *planner) person(at time.Duration) {
	soon := at + p.between(0.5, 4)
	act := func(at time.Duration, a control.Act) { p.add(at, "/v1/world", a) }
	say := func(at time.Duration, word string) { p.add(at, "/v1/intent", control.IntentRequest{Name: word}) }
	switch p.IntN(18) {
	default:
		word := voices[p.IntN(len(voices))]
		if say(at, word); word == "sleep" || word == "quiet" || word == "stop" {
			say(soon, "wake_up")
			say(soon+time.Second, "explore")
		}
	case 0:
		act(at, control.Act{Act: "pickup"})
		act(soon, control.Act{Act: "putdown"})
	case 1: // maybe held beside the table
		for _, t := range []time.Duration{at, soon} {
			act(t, control.Act{Act: "carry", XMM: 1600*p.Float64() - 800, YMM: 1200*p.Float64() - 600, HeadingRad: 6 * p.Float64()})
		}
		act(soon+time.Second, control.Act{Act: "putdown"})
	case 2:
		act(at, control.Act{Act: "touch", Seconds: p.between(0.2, 3).Seconds()})
	case 3:
		act(at, control.Act{Act: "shake", Seconds: p.between(0.2, 2).Seconds()})
	case 4, 5:
		act(at, control.Act{Act: "cube", XMM: 1000*p.Float64() - 500, YMM: 600*p.Float64() - 300, HeadingRad: 6 * p.Float64()})
	case 6:
		act(at, control.Act{Act: "place", XMM: 800*p.Float64() - 400, YMM: 400*p.Float64() - 200, HeadingRad: 6 * p.Float64()})
	case 7:
		p.add(at, dockPath, nil)
	case 8:
		act(at, control.Act{Act: "edge"})
	case 9:
		who := people[p.IntN(len(people))]
		act(at, control.Act{Act: "face", Name: who.name, Seconds: p.between(1, 10).Seconds()})
		act(soon, control.Act{Act: "person", ID: who.id, XMM: 1000 - 2000*float64(p.IntN(2)), YMM: 800*p.Float64() - 400})
	case 10:
		act(at, control.Act{Act: "poke"})
		p.add(soon, "/v1/wake", struct{}{})
	case 12, 13:
		senses := []string{"beat", "button", "dark", "habitat", "heat", "motion", "palm", "pet", "point", "tap", "twist"}
		word := senses[p.IntN(len(senses))]
		a := control.Act{Act: word}
		if word != "habitat" && word != "palm" && word != "tap" {
			a.Seconds = p.between(0.2, 8).Seconds()
		}
		if names := control.ActNames(word); names != nil {
			a.Name = names[p.IntN(len(names))]
		}
		if act(at, a); word == "palm" {
			act(soon, control.Act{Act: "putdown"})
		}
	case 11:
		if p.IntN(3) == 0 {
			p.add(at, stopPath, struct{}{})
			p.add(soon, resumePath, nil)
		}
	}
}

// possible lists every fault that the simulated robot can suffer.
func possible() (all [][2]string) {
	rig := sim.New(sim.Options{Now: time.Unix(0, 0)})
	rig.SetFreeze(func(time.Duration) {})
	for _, device := range sim.FaultDevices() {
		for _, kind := range sim.Kinds() {
			if rig.Fault(device, kind, time.Second) == nil {
				all = append(all, [2]string{device, kind})
			}
		}
	}
	return all
}

// A storm of some hours has every fault, every act and every voice in it.
func TestPlanOfHoursHasEverything(t *testing.T) {
	seen := map[any]int{}
	calm := 0
	for _, d := range plan(1, 6*time.Hour) {
		switch b := d.body.(type) {
		case control.FaultRequest:
			seen[[2]string{b.Device, b.Kind}]++
			if d.at%calmEvery > calmEvery-calmFor {
				calm++
			}
		case control.Act:
			seen[b.Act]++
		case control.IntentRequest:
			seen[b.Name]++
		default:
			seen[d.path]++
		}
	}
	for _, f := range possible() {
		if seen[f] == 0 {
			t.Errorf("nothing is %v", f)
		}
	}
	for _, word := range slices.Concat(control.Acts(), voices, []string{hangPath, stopPath, resumePath, dockPath, clearPath, "/v1/wake"}) {
		if seen[word] == 0 && word != "hideface" { // faces go away by themselves
			t.Errorf("no %s", word)
		}
	}
	if calm > 0 {
		t.Errorf("%d faults in times without faults", calm)
	}
}
