package condition

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Finding tells one evaluation of a condition: the answer, and the values that it rests on, as they were.
type Finding struct {
	Name string `json:"name"`
	// Asked says that there was an evaluation. Without one Text says why, and nothing else is set.
	Asked bool `json:"asked"`
	Met   bool `json:"met"`
	// Tick is when it was asked.
	Tick uint64 `json:"tick"`
	// Active says that the condition is active now.
	Active bool   `json:"active"`
	Values Values `json:"values"`
	// Text names the fact that decides, in a few words.
	Text string `json:"text"`
	// Parts are the findings of the conditions that it asked.
	Parts []Finding `json:"parts,omitempty"`
}

// Found tells the newest evaluation of c, at any later time: an evaluation keeps the few values that it rests on, and the text is made
// here. It neither evaluates c nor changes it, and runs no code of an author: a condition of another package that was not adopted is named
// by its type.
func Found(c Condition) Finding {
	return Tell(Notes(nil, c), nil)
}

// String is the finding in one line, for example
//
//	not(OnCharger)=false: on contacts
func (f Finding) String() string {
	if !f.Asked {
		return f.Name + ": " + f.Text
	}
	return f.Name + "=" + strconv.FormatBool(f.Met) + ": " + f.Text
}

// unexplained stands for the reason of code of an author.
const unexplained = "no explanation"

// A part is a condition that another one asks, with its answer at the newest evaluation of that one.
type part struct {
	Condition
	name  string
	base  *core // nil for a condition of another package
	met   bool
	count uint64 // of the base after that answer
}

func newPart(c Condition) part {
	p := part{Condition: c, name: c.String()}
	if in := ours(c); in != nil {
		p.base = in.base()
	}
	return p
}

// ask evaluates the part.
func (p *part) ask(v *View) bool {
	p.met = p.Met(v)
	if p.base != nil {
		p.count = p.base.count
	}
	return p.met
}

// A Value is one value that an evaluation rests on.
type Value struct {
	Name  string
	Value any // a string, bool, int or float64; an Elapsed until Tell writes it
}

// Values are in the order in which people want to read them. As JSON they are an object.
type Values []Value

// MarshalJSON implements [json.Marshaler].
func (vs Values) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, v := range vs {
		if f, ok := v.Value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			v.Value = strconv.FormatFloat(f, 'g', -1, 64) // JSON has no number for it
		}
		name, err := json.Marshal(v.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(v.Value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// one is a single value.
func one(name string, value any) Values { return Values{{name, value}} }

// seconds adds a duration; none if it is noLimit.
func (vs Values) seconds(name string, d time.Duration) Values {
	if d == noLimit {
		return vs
	}
	return append(vs, Value{name, d.Seconds()})
}

// elapsed adds a time since an instant, or, negative, until one.
func (vs Values) elapsed(name string, d time.Duration) Values {
	return append(vs, Value{name, Elapsed(d)})
}

// number adds a number; none if it is as large as a limit that does not limit.
func (vs Values) number(name string, f float64) Values {
	if math.Abs(f) >= math.MaxFloat64 {
		return vs
	}
	return append(vs, Value{name, f})
}

// noReading is the explanation of a fail direction.
func noReading(device string, q hardware.Quality) (string, Values) {
	return device + " reading is " + q.String(), one("reading", q.String())
}

// yesNo picks the words for a flag.
func yesNo(flag bool, yes, no string) string {
	if flag {
		return yes
	}
	return no
}

// Spoken writes a time, past or to come, as people say it: "40 s".
func Spoken(d time.Duration) string {
	s := d.Abs().Seconds()
	switch {
	case s < 9.95:
		return fixed(s) + " s"
	case s < 119.5:
		return strconv.FormatFloat(s, 'f', 0, 64) + " s"
	case s < 2*3600:
		return strconv.FormatFloat(s/60, 'f', 0, 64) + " min"
	}
	return fixed(s/3600) + " h"
}

// short prints a duration rounded to milliseconds.
func short(d time.Duration) string { return d.Round(time.Millisecond).String() }

// fixed prints a measurement with one decimal.
func fixed(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
