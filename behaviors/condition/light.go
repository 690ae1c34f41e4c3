package condition

import (
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
)

// illuminationStates are how bright the surroundings are.
func illuminationStates() []string { return hardware.LightNames }

// A lightRule says which states of the light count, and how they are confirmed. No state is any state.
type lightRule struct {
	states []string
	time   time.Duration // longer than this
	least  uint64        // messages
}

func (l *lightRule) has(state hardware.Light) bool {
	return len(l.states) == 0 || slices.Contains(l.states, state.String())
}

// The phases of the light: what is waited for.
const (
	lightFirst  = iota // the state before
	lightSecond        // the state after
	lightHeld          // its end
)

// lightPhases words the phases.
var lightPhases = [...]string{"waits for the light as it was before", "waits for the light to change", "the light has changed"}

// A lightMemory is how far the light has got.
type lightMemory struct {
	seq   uint64 // messages that were seen
	begun bool   // seq is known
	phase int
	since time.Time // the first message that confirms the next phase; zero if there was none. When held: since when.
	count uint64    // such messages
}

// readLight reads the rule of one state. A list that is given needs its confirmation.
func (r *reader) readLight(when string) lightRule {
	l := lightRule{states: r.wordsOr(when+"TriggerStates", illuminationStates())}
	if len(l.states) > 0 {
		l.time, l.least = r.seconds(when+"ConfirmationTime"), uint64(r.count(when+"ConfirmationMinNum", 0, maxCount))
		return l
	}
	l.time, l.least = r.secondsOr(when+"ConfirmationTime", 0), uint64(r.countOr(when+"ConfirmationMinNum", 0, 0, maxCount))
	return l
}

// illumination is met from when the light has changed from one state, which was confirmed, to another, which was confirmed too, until the
// other is lost or was held for its confirmation time (a quirk of the format: matchHoldTime is read only).
func (r *reader) illumination() Condition {
	rules := [...]lightRule{r.readLight("pre"), r.readLight("post")}
	r.seconds("matchHoldTime")
	name := "IlluminationDetected(" + states(rules[0].states) + " to " + states(rules[1].states) + ")"
	on := devices{hardware.Vision}
	var memory lightMemory
	s := &stateful{core: core{name: name}, look: hardware.LookFor(hardware.SeeLight, hardware.Low)}
	s.clear = func() { memory = lightMemory{} }
	s.step = func(v *View, f *facts, remember bool) {
		*f = facts{}
		if on.read(v.World, f); f.q == hardware.OK {
			next := memory
			next.step(&rules, v)
			f.n, f.a = int32(next.phase), next.phase == lightHeld
			if remember {
				memory = next
			}
		}
		f.m = int32(v.World.Around.Light)
		if f.q != hardware.OK {
			f.m = 0
		}
	}
	s.test = func(f *facts) bool { return f.q == hardware.OK && f.a }
	s.say = func(f *facts) (string, Values) {
		if f.q != hardware.OK {
			return noReading(hardware.Vision, f.q)
		}
		is := hardware.Light(f.m).String()
		return lightPhases[f.n] + ", it is " + is, Values{{"light", is}, {"phase", int(f.n)}}
	}
	s.needs = on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "the light must change from "+states(rules[0].states)+" to "+states(rules[1].states), "the light must change again, or wait")
	})
	return s
}

func states(list []string) string {
	if len(list) == 0 {
		return "any"
	}
	return strings.Join(list, " or ")
}

// step takes the newest message, if there is a new one.
func (m *lightMemory) step(rules *[2]lightRule, v *View) {
	a := &v.World.Around
	if !m.begun {
		m.begun, m.seq = true, a.LightSeq // what was before does not count
	}
	if m.phase == lightHeld && v.Now.Sub(m.since) > rules[1].time {
		*m = lightMemory{begun: true, seq: m.seq}
	}
	news := a.LightSeq - m.seq
	if a.LightSeq == m.seq || a.Light == hardware.LightUnknown {
		return
	}
	m.seq = a.LightSeq
	switch {
	case m.phase == lightHeld:
		if !rules[1].has(a.Light) {
			*m = lightMemory{begun: true, seq: m.seq}
		}
	case rules[m.phase].has(a.Light):
		m.confirm(&rules[m.phase], v.Now, news)
	case m.phase == lightSecond && m.count == 0 && rules[0].has(a.Light):
	default:
		*m = lightMemory{begun: true, seq: m.seq}
	}
}

// confirm takes messages that match.
func (m *lightMemory) confirm(rule *lightRule, now time.Time, news uint64) {
	if m.count == 0 {
		m.since = now
	}
	m.count += news
	if now.Sub(m.since) > rule.time && m.count >= rule.least {
		m.phase, m.since, m.count = m.phase+1, now, 0
	}
}
