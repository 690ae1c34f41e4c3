package facts

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A number is one thing that can be plotted: what it reads of the messages of one topic and key.
type number struct {
	control.SeriesName
	topic, key string
	read       func(data []byte, at float64, see func(at, v float64))
}

// field reads one number of a value, at a path in its JSON: to decode all the rest would take most of the time of a plot.
func field(path string) func([]byte, float64, func(at, v float64)) {
	return scaled(path, func(v float64) float64 { return v })
}

// scaled is a field in the unit of its plot.
func scaled(path string, scale func(float64) float64) func([]byte, float64, func(at, v float64)) {
	return func(data []byte, at float64, see func(at, v float64)) {
		see(at, scale(gjson.GetBytes(data, path).Num))
	}
}

func degrees(rad float64) float64   { return rad * 180 / math.Pi }
func percent(ratio float64) float64 { return 100 * ratio }

// numbers are all of them, by name.
func numbers() []number {
	all := []number{
		{control.SeriesName{Name: "battery", Unit: "V", Doc: "battery voltage"}, topicReading, hardware.Battery, field("volts")},
		{control.SeriesName{Name: "charge", Unit: "%", Doc: "estimated charge"}, topicReading, hardware.Battery, scaled("ratio", percent)},
		{control.SeriesName{Name: "current", Unit: "A", Doc: "battery current, positive while charging"}, topicReading, hardware.Battery, field("amps")},
		{control.SeriesName{Name: "depth", Unit: "layers", Doc: "depth of the stack"}, topicStack, "", field("layers.#")},
		{control.SeriesName{Name: "head", Unit: "°", Doc: "head angle"}, topicReading, hardware.Servos, scaled("head_rad", degrees)},
		{control.SeriesName{Name: "lift", Unit: "mm", Doc: "lift height"}, topicReading, hardware.Servos, field("lift_mm")},
		{control.SeriesName{Name: "pitch", Unit: "°", Doc: "pitch"}, topicReading, hardware.IMU, scaled("pitch_rad", degrees)},
		{control.SeriesName{Name: "roll", Unit: "°", Doc: "roll"}, topicReading, hardware.IMU, scaled("roll_rad", degrees)},
		{control.SeriesName{Name: "yaw", Unit: "°", Doc: "yaw since start, not wrapped"}, topicReading, hardware.IMU, scaled("yaw_rad", degrees)},
		{control.SeriesName{Name: "range", Unit: "mm", Doc: "distance ahead; none if nothing is there"}, topicReading, hardware.Range, rangeOf},
		{control.SeriesName{Name: "wheel_left", Unit: "mm/s", Doc: "speed of the left wheel"}, topicReading, hardware.Motors, field("left_mmps")},
		{control.SeriesName{Name: "wheel_right", Unit: "mm/s", Doc: "speed of the right wheel"}, topicReading, hardware.Motors, field("right_mmps")},
		{control.SeriesName{Name: "x", Unit: "mm", Doc: "believed place"}, topicPose, "", field("x_mm")},
		{control.SeriesName{Name: "y", Unit: "mm", Doc: "believed place"}, topicPose, "", field("y_mm")},
		{control.SeriesName{Name: "refusals", Unit: "", Doc: "refused requests since start"}, topicCounters, "", field("refusals")},
		{control.SeriesName{Name: "tick", Unit: "µs", Doc: "duration of a tick"}, topicTiming, "", timingOf(func(v *timingValue) []float64 { return v.DurationUS })},
		{control.SeriesName{Name: "late", Unit: "µs", Doc: "lateness of a tick"}, topicTiming, "", timingOf(func(v *timingValue) []float64 { return v.LateUS })},
	}
	for i, name := range [...]string{"cliff_front_left", "cliff_front_right", "cliff_back_left", "cliff_back_right"} {
		all = append(all, number{control.SeriesName{Name: name, Doc: "reflectance of the floor, 0 is a void"}, topicReading, hardware.Cliff, field("raw." + strconv.Itoa(i))})
	}
	for _, name := range condition.EmotionNames() {
		all = append(all, number{control.SeriesName{Name: "mood." + name, Doc: "emotion, -1 to 1"}, topicMood, "", field("emotions." + name)})
	}
	slices.SortFunc(all, func(a, b number) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func rangeOf(data []byte, at float64, see func(at, v float64)) {
	if found := gjson.GetBytes(data, "found"); found.Type != gjson.True {
		see(at, math.NaN())
		return
	}
	field("distance_mm")(data, at, see)
}

// timingOf reads one number of each tick of a second.
func timingOf(f func(*timingValue) []float64) func([]byte, float64, func(at, v float64)) {
	return func(data []byte, _ float64, see func(at, v float64)) {
		var v timingValue
		if json.Unmarshal(data, &v) != nil {
			return
		}
		for i, n := range f(&v) {
			if i < len(v.AtS) {
				see(v.AtS[i], n)
			}
		}
	}
}

// SeriesNames implements control.Past.
func (p *Past) SeriesNames() []control.SeriesName {
	var names []control.SeriesName
	for _, n := range numbers() {
		names = append(names, n.SeriesName)
	}
	return names
}

// A thinner puts numbers into equal spans of time.
type thinner struct {
	*follower
	from, width    float64
	min, max, last []float64 // by span; NaN: none
	held           float64   // the newest value; NaN: none
	next           int       // span that the held value was not put into yet
}

func newThinner(n number, from, to float64, points int) *thinner {
	t := &thinner{from: from, width: max(to-from, 0.001) / float64(points), held: math.NaN()}
	t.follower = newFollower(n, t.see)
	for _, s := range []*[]float64{&t.min, &t.max, &t.last} {
		*s = slices.Repeat([]float64{math.NaN()}, points)
	}
	return t
}

// put puts a value into a span.
func (t *thinner) put(span int, v float64) {
	if math.IsNaN(v) {
		return
	}
	if math.IsNaN(t.last[span]) {
		t.min[span], t.max[span] = v, v
	}
	t.min[span], t.max[span], t.last[span] = min(t.min[span], v), max(t.max[span], v), v
}

// hold lets the newest value stand in the spans up to one.
func (t *thinner) hold(span int) {
	for ; t.next <= span && t.next < len(t.last); t.next++ {
		t.put(t.next, t.held)
	}
}

// see takes a value of an instant; NaN: from then on there is none. Instants do not go back.
func (t *thinner) see(at, v float64) {
	place := (at - t.from) / t.width
	span := int(math.Floor(place))
	if span >= len(t.last) {
		if at > t.from+t.width*float64(len(t.last))+1e-6 {
			return
		}
		span = len(t.last) - 1
	}
	if math.IsNaN(v) {
		t.keep(min(span, int(math.Ceil(place))-1)) // what ends with a span does not stand in the next one
	} else if span >= 0 {
		t.keep(span)
		t.put(span, v)
	}
	t.held = v
}

// keep lets the newest value stand in the spans up to one, if it holds.
func (t *thinner) keep(span int) {
	if t.holds() {
		t.hold(span)
	}
}

// series drops the spans without a value.
func (t *thinner) series() control.Series {
	s := control.Series{Unit: t.Unit, T: []float64{}, Min: []float64{}, Max: []float64{}, Last: []float64{}}
	for i, v := range t.last {
		if !math.IsNaN(v) {
			s.T = append(s.T, round(t.from+float64(i)*t.width, 1000))
			s.Min, s.Max, s.Last = append(s.Min, round(t.min[i], 1000)), append(s.Max, round(t.max[i], 1000)), append(s.Last, round(v, 1000))
		}
	}
	return s
}

// Series implements control.Past.
func (p *Past) Series(names []string, from, to float64, points int) (*control.SeriesSet, error) {
	chosen, err := numbersOf(names)
	if err != nil {
		return nil, control.Refuse(err)
	}
	var thin []*thinner
	for known := -1; err == nil && len(p.Source.Gaps()) != known; { // damage of a file is among its gaps once it was read
		gaps := p.Source.Gaps()
		known, thin = len(gaps), thin[:0]
		var all []*follower
		for _, n := range chosen {
			t := newThinner(n, from, to, points)
			thin, all = append(thin, t), append(all, t.follower)
		}
		err = p.follow(all, gaps, from, to)
	}
	set := &control.SeriesSet{Names: names, FromS: from, ToS: to, Series: map[string]control.Series{}}
	recorded := p.History().Last.AtS
	for _, t := range thin {
		t.keep(int((min(to, recorded) - from) / t.width))
		set.Series[t.Name] = t.series()
	}
	return set, err
}

// numbersOf are the numbers of some names.
func numbersOf(names []string) ([]number, error) {
	all := numbers()
	chosen := make([]number, len(names))
	for k, name := range names {
		i, ok := slices.BinarySearchFunc(all, name, func(n number, name string) int { return strings.Compare(n.Name, name) })
		if !ok {
			return nil, resources.Unknown("series", name, namesOf(all))
		}
		chosen[k] = all[i]
	}
	return chosen, nil
}

func namesOf(all []number) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}
