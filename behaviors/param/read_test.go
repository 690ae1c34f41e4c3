package param_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

type step struct {
	Clip string `key:"clip" ref:"clip" doc:"animation"`
	Loud bool   `key:"loud" default:"false" why:"robots are quiet" doc:"with sound"`
}

type shared struct {
	Look time.Duration `key:"look_s" doc:"pause"`
}

type common struct {
	Rate float64 `key:"rate" default:"1" why:"w" doc:"d"`
}

type everything struct {
	common
	Bool     bool                `key:"bool" doc:"d"`
	Int      int                 `key:"int" range:"1..10" doc:"d"`
	AnyInt   int                 `key:"anyInt" default:"-3" why:"w" doc:"d"`
	Float    float64             `key:"speed_mmps" range:"10..cliffSafe" doc:"d"`
	Head     param.Angle         `key:"head_deg" range:"headMin..headMax" doc:"d"`
	Turn     param.Angle         `key:"turn_degPerSec" unit:"deg" default:"90" why:"w" doc:"d"`
	Wait     time.Duration       `key:"wait_ms" doc:"d"`
	Limit    time.Duration       `key:"limit_s" range:"-1..60" default:"-1" why:"w" doc:"d"`
	Text     string              `key:"text" doc:"d"`
	Side     string              `key:"side" words:"left|right" default:"left" why:"w" doc:"d"`
	Timer    string              `key:"timer" ref:"timer" default:"" why:"w" doc:"d"`
	Next     string              `key:"next" delegate:"true" doc:"d"`
	Others   []string            `key:"others" delegate:"true" length:"1..3" doc:"d"`
	Numbers  []float64           `key:"numbers" default:"1,2.5" why:"w" doc:"d"`
	Pause    param.Times         `key:"min_s,max_s" doc:"d"`
	Distance param.Span          `key:"min_mm,max_mm" range:"0..100" default:"5,6" why:"w" doc:"d"`
	Arc      param.Span          `key:"min_deg,max_deg" range:"0..180" doc:"d"`
	Times    param.Counts        `key:"minTimes,maxTimes" range:"1..1000" doc:"d"`
	Search   shared              `inline:"true"`
	First    step                `key:"first" doc:"d"`
	Last     *step               `key:"last" default:"none" why:"w" doc:"d"`
	Steps    []step              `key:"steps" length:"1.." doc:"d"`
	When     condition.Condition `key:"when" default:"none" why:"w" doc:"d"`

	derived int
}

func (e *everything) Check(o *resources.Object, _ *behaviors.Config) {
	e.derived = e.Int * 2
	if e.Int == 7 {
		o.KeyErrorf("int", resources.CodeKeyRange, "seven is unlucky")
	}
}

const good = `{"bool": true, "int": 4, "speed_mmps": 50, "head_deg": 18, "wait_ms": 250, "text": "hi", "next": "B", "others": ["B", "C"],
 "min_s": 1, "max_s": 2.5, "min_deg": 0, "max_deg": 180, "minTimes": 1, "maxTimes": 3, "look_s": 0.5,
 "first": {"clip": "celebrate"}, "last": {"clip": "celebrate", "loud": true}, "steps": [{"clip": "celebrate"}, {"clip": "look_curious", "loud": true}],
 "when": {"conditionType": "TrueCondition"}}`

// readAs reads src as the file of a behavior, and returns the findings and the delegates.
func readAs(t *testing.T, src string, p any) (found []string, delegates []string) {
	t.Helper()
	doc, ds := resources.Parse("b.json", []byte(src))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	class := behaviors.Class{Name: "Test", New: func(cfg *behaviors.Config) behaviors.Behavior {
		param.ReadConfig(cfg, p)
		return struct{}{}
	}}
	refs, _ := behaviors.ReadReferences("Test", &class, doc.Root())
	doc.Root().Finish()
	for _, d := range doc.Diagnostics() {
		found = append(found, d.String())
	}
	return found, refs.Delegates
}

func TestReadConfigFillsEveryTypeOfField(t *testing.T) {
	var got everything
	found, delegates := readAs(t, good, &got)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if got.When == nil {
		t.Error("the condition was not read")
	}
	got.When = nil
	want := everything{
		common: common{1}, Bool: true, Int: 4, AnyInt: -3, Float: 50, Head: param.Angle(param.Rad(18)), Turn: param.Angle(param.Rad(90)), Wait: 250 * time.Millisecond,
		Limit: -time.Second, Text: "hi", Side: "left", Next: "B", Others: []string{"B", "C"}, Numbers: []float64{1, 2.5},
		Pause: param.Times{Min: time.Second, Max: 2500 * time.Millisecond}, Distance: param.Span{Min: 5, Max: 6},
		Arc: param.Span{Max: param.Rad(180)}, Times: param.Counts{Min: 1, Max: 3}, Search: shared{500 * time.Millisecond},
		First: step{Clip: "celebrate"}, Last: &step{"celebrate", true}, Steps: []step{{"celebrate", false}, {"look_curious", true}}, derived: 8,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if !slices.Equal(delegates, []string{"B", "C"}) {
		t.Errorf("delegates are %v", delegates)
	}
}

// Each mistake in a file gives exactly one finding, at its place.
func TestReadConfigReportsEachMistakeOnceAtItsPlace(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"absent", `"bool": true, `, ``, `b.json:1:1: error: required key "bool" is missing`},
		{"misspelt", `"bool"`, `"boll"`, `unknown key "boll"; did you mean "bool"?`},
		{"range", `"int": 4`, `"int": 11`, `b.json:1:23: error: int: 11 is above the limit 10`},
		{"type", `"text": "hi"`, `"text": 3`, `text: want a string, found the number 3`},
		{"limit named", `"speed_mmps": 50`, `"speed_mmps": 5000`, `speed_mmps: 5000 is above the limit 170`},
		{"head", `"head_deg": 18`, `"head_deg": 46`, `head_deg: 46 is above the limit 45`},
		{"reversed", `"max_s": 2.5`, `"max_s": 0.5`, `max_s: is less than min_s`},
		{"reversed span", `"min_deg": 0, "max_deg": 180`, `"min_deg": 20, "max_deg": 10`, `max_deg: is less than min_deg`},
		{"pair without one", `"max_s": 2.5, `, ``, `required key "max_s" is missing`},
		{"pair with wrong type", `"maxTimes": 3`, `"maxTimes": "3"`, `maxTimes: want a whole number`},
		{"pair out of range", `"maxTimes": 3`, `"maxTimes": 0`, `maxTimes: 0 is below the limit 1`},
		{"one of a defaulted pair", `"bool": true`, `"bool": true, "min_mm": 50`, `max_mm: is less than min_mm`},
		{"word", `"bool": true`, `"bool": true, "side": "lefft"`, `did you mean "left"?`},
		{"inside", `"first": {"clip": "celebrate"}`, `"first": {"clip": "celebrate", "lod": true}`, `unknown key "lod" in first`},
		{"element", `"loud": true}],`, `"loud": 1}],`, `steps[1].loud: want true or false`},
		{"empty list", `["B", "C"]`, `[]`, `others: the list is empty; want at least 1`},
		{"long list", `["B", "C"]`, `["B", "C", "D", "E"]`, `others: has 4 entries; want at most 3`},
		{"empty name", `"next": "B"`, `"next": ""`, `the name of a behavior cannot be empty`},
		{"condition", `"TrueCondition"`, `"TrueCondtion"`, `TrueCondition`},
		{"inline", `"look_s": 0.5`, `"look_s": -1`, `look_s: -1 is below the limit 0`},
		{"negative", `"wait_ms": 250`, `"wait_ms": -250`, `wait_ms: -250 is below the limit 0`},
		{"check", `"int": 4`, `"int": 7`, `int: seven is unlucky`},
		{"embedded", `"bool": true`, `"bool": true, "rate": "x"`, `rate: want a number`},
		{"unknown", `"bool": true`, `"bool": true, "zzz": 1`, `unknown key "zzz"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := strings.Replace(good, c.old, c.new, 1)
			if src == good {
				t.Fatal("nothing was replaced")
			}
			found, _ := readAs(t, src, &everything{})
			if n := len(found); n == 0 || !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Fatalf("found %q\nwant one with %q", found, c.want)
			}
			if len(found) > 1 && c.name != "misspelt" {
				t.Errorf("%d findings: %q", len(found), found)
			}
		})
	}
}

func TestMalformedTagsPanicWithFieldAndReason(t *testing.T) {
	for want, p := range map[string]any{
		"want a pointer to a struct": struct{}{},
		"has no key":                 &struct{ A int }{},
		"is not exported": &struct {
			a int `key:"a"`
		}{},
		`unknown tag "defualt"`: &struct {
			A int `key:"a" defualt:"1"`
		}{},
		"the tags are malformed": reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int](), Tag: "key:a"}})).Interface(),
		`range`: &struct {
			A int `key:"a" range:"1-3"`
		}{},
		"the first is above the second": &struct {
			A int `key:"a" range:"3..1"`
		}{},
		`"fast" is not a number`: &struct {
			A float64 `key:"a" range:"1..fast"`
		}{},
		`"x" is not a whole number`: &struct {
			A int `key:"a" default:"x" why:"w"`
		}{},
		"want true or false": &struct {
			A bool `key:"a" default:"yes" why:"w"`
		}{},
		"a duration needs a unit": &struct {
			A time.Duration `key:"a"`
		}{},
		"an angle needs a unit": &struct {
			A param.Angle `key:"a"`
		}{},
		"an angle is a param.Angle": &struct {
			A float64 `key:"a_deg"`
		}{},
		"is read from 2": &struct {
			A param.Times `key:"a_s"`
		}{},
		"is read from 1": &struct {
			A int `key:"a,b"`
		}{},
		"want two values with a comma": &struct {
			A param.Span `key:"a,b" default:"1" why:"w"`
		}{},
		"no kind of reference": &struct {
			A string `key:"a" ref:"behaviour"`
		}{},
		"a int32 cannot be read": &struct {
			A int32 `key:"a"`
		}{},
		"a delegate is read by ReadConfig": &struct {
			A string `key:"a" delegate:"true"`
		}{},
		`delegate is "yes"`: &struct {
			A string `key:"a" delegate:"yes"`
		}{},
		"an optional object is a pointer": &struct {
			A step `key:"a" default:"none" why:"w"`
		}{},
		"a pointer is for an optional object": &struct {
			A *step `key:"a"`
		}{},
		"inline is for a struct": &struct {
			A int `inline:"true"`
		}{},
		"a condition has no default but none": &struct {
			A condition.Condition `key:"a" default:"x" why:"w"`
		}{},
		"a list of objects has no default but": &struct {
			A []step `key:"a" default:"x" why:"w"`
		}{},
		"a list of names has no default but": &struct {
			A []string `key:"a" ref:"timer" default:"x" why:"w"`
		}{},
		"for a default that it does not have": &struct {
			A int `key:"a" why:"w"`
		}{},
		`key "a," names an empty key`: &struct {
			A param.Span `key:"a,"`
		}{},
	} {
		t.Run(want, func(t *testing.T) {
			doc, _ := resources.Parse("b.json", []byte(`{"a": 1}`))
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
					t.Errorf("panic is %v, want %q in it", r, want)
				}
			}()
			param.Read(doc.Root(), p)
		})
	}
}

type few struct {
	Bars   int           `key:"bars" range:"1..50" doc:"d"`
	Beat   time.Duration `key:"beat_s" doc:"d"`
	Swing  param.Angle   `key:"swing_deg" range:"0..60" doc:"d"`
	Finale string        `key:"finale" doc:"d"`
	Far    param.Span    `key:"min_mm,max_mm" range:"10..2000" doc:"d"`
}

const fewKeys = `{"bars": 4, "beat_s": 0.5, "swing_deg": 20, "finale": "x", "min_mm": 20, "max_mm": 30}`

// BenchmarkReadTags and BenchmarkReadByHand read the same keys.
func BenchmarkReadTags(b *testing.B) {
	benchmarkRead(b, func(o *resources.Object) (p few) {
		param.Read(o, &p)
		return p
	})
}

func BenchmarkReadByHand(b *testing.B) { benchmarkRead(b, byHand) }

func byHand(o *resources.Object) few {
	return few{
		Bars: o.IntRange("bars", 1, 50), Beat: o.Seconds("beat_s"), Swing: param.Angle(param.Rad(o.FloatRange("swing_deg", 0, 60))),
		Finale: o.String("finale"), Far: param.Span{Min: o.FloatRange("min_mm", 10, 2000), Max: o.FloatRange("max_mm", 10, 2000)},
	}
}

func benchmarkRead(b *testing.B, read func(o *resources.Object) few) {
	doc, _ := resources.Parse("b.json", []byte(fewKeys))
	b.ReportAllocs()
	for b.Loop() {
		if read(doc.Root()).Bars != 4 {
			b.Fatal("wrong")
		}
	}
}

func TestReadGivesWhatReadersGiveByHand(t *testing.T) {
	doc, _ := resources.Parse("b.json", []byte(fewKeys))
	var got few
	param.Read(doc.Root(), &got)
	if want := byHand(doc.Root()); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
