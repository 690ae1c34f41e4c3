package registry

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/resources"
)

// A Type is what the value of a key is.
type Type string

// The types.
const (
	Number Type = "number"
	Whole  Type = "whole number"
	Flag   Type = "true or false"
	Text   Type = "text"
	Clip   Type = "clip" // of the animations of the resource tree
	Path   Type = "path" // legs of a drive
)

// A Key is one parameter of an action.
type Key struct {
	Name     string   `json:"name"`
	Type     Type     `json:"type"`
	Unit     string   `json:"unit,omitempty"`
	Min      float64  `json:"min"` // of numbers; of a text the length
	Max      float64  `json:"max"`
	Default  string   `json:"default,omitempty"` // what holds without it, in words if it is no value
	Required bool     `json:"required"`
	Choices  []string `json:"choices,omitempty"` // of a text
	Doc      string   `json:"doc"`
}

// A Kind is one action.
type Kind struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Retries int    `json:"retries"` // repetitions after failures that are worth one
	Keys    []Key  `json:"keys"`

	make func(v Values) actions.Action
}

// All lists the actions by name. Nobody may change it.
func All() []Kind { return kinds }

// Names lists the names of the actions.
func Names() []string { return names }

// shown are the names of actions in lists and traces that differ from those of the table.
var shown = map[string]string{
	"SearchForNearbyObject": "Search", "VisuallyVerifyFace": "VerifyFace", "VisuallyVerifyObject": "VerifyObject",
	"VisuallyVerifyNoObjectAtPose": "VerifyNothing",
}

// Find returns the action of a name, or an error that names the nearest one.
func Find(name string) (*Kind, error) {
	i, ok := slices.BinarySearch(names, name)
	if !ok {
		if is := shown[name]; is != "" {
			return nil, fmt.Errorf("there is no action %q; did you mean %q?", name, is)
		}
		return nil, resources.Unknown("action", name, names)
	}
	return &kinds[i], nil
}

// Make makes the action of a name from texts by key. The error names the key, what was expected, and the nearest valid value. Clips are looked up
// in lib; nil means the built-in animations.
func Make(name string, pairs map[string]string, lib *animation.Library) (actions.Action, *Kind, error) {
	k, err := Find(name)
	if err != nil {
		return nil, nil, err
	}
	if lib == nil {
		lib = animation.BuiltIn()
	}
	v := Values{kind: k, numbers: map[string]float64{}, texts: pairs}
	if err := v.read(lib); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return k.make(v), k, nil
}

// keyNames lists the keys of an action as they stand in the table.
func (k *Kind) keyNames() []string {
	all := make([]string, len(k.Keys))
	for i := range k.Keys {
		all[i] = k.Keys[i].Name
	}
	return all
}

// Values are the parameters of one action, checked.
type Values struct {
	kind    *Kind
	numbers map[string]float64
	texts   map[string]string
}

// read checks every text and keeps the numbers. Keys are checked in alphabetical order, missing ones in that of the table.
func (v *Values) read(lib *animation.Library) error {
	known := v.kind.keyNames()
	given := make([]string, 0, len(v.texts))
	for key := range v.texts {
		given = append(given, key)
	}
	slices.Sort(given)
	for _, key := range given {
		i := slices.Index(known, key)
		if i < 0 {
			if len(known) == 0 {
				return fmt.Errorf("there is no parameter %q: it takes none", key)
			}
			return resources.Unknown("parameter", key, known)
		}
		if err := v.one(&v.kind.Keys[i], v.texts[key], lib); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	for i := range v.kind.Keys {
		if k := &v.kind.Keys[i]; k.Required && !slices.Contains(given, k.Name) {
			return fmt.Errorf("%s is missing: %s", k.Name, k.Doc)
		}
	}
	return nil
}

// one checks the text of one key.
func (v *Values) one(k *Key, text string, lib *animation.Library) error {
	switch k.Type {
	case Number, Whole:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n != n || k.Type == Whole && n != float64(int64(n)) { //nolint:staticcheck // NaN
			return fmt.Errorf("%q is no %s such as %s", text, k.Type, number(max(k.Min, min(k.Max, 10))))
		}
		if n < k.Min || n > k.Max {
			return fmt.Errorf("%s is not between %s and %s%s; the nearest is %s",
				number(n), number(k.Min), number(k.Max), strings.TrimRight(" "+k.Unit, " "), number(max(k.Min, min(k.Max, n))))
		}
		v.numbers[k.Name] = n
	case Flag:
		if text != "true" && text != "false" {
			return resources.Unknown("switch", text, []string{"false", "true"})
		}
	case Text:
		if len(k.Choices) > 0 && !slices.Contains(k.Choices, text) {
			return resources.Unknown("value", text, k.Choices)
		}
		if n := float64(len(text)); n < k.Min || k.Max > 0 && n > k.Max {
			return fmt.Errorf("a text of %s bytes; %s to %s are possible", number(n), number(k.Min), number(k.Max))
		}
	case Path:
		if _, err := readLegs(text); err != nil {
			return err
		}
	case Clip:
		if lib.Clip(text) == nil {
			return resources.Unknown("clip", text, lib.ClipNames())
		}
	}
	return nil
}

func number(n float64) string {
	if math.Abs(n) >= 1e15 {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// Has reports whether a key was given.
func (v *Values) Has(key string) bool { _, ok := v.texts[key]; return ok }

// Number is the value of a key, or 0, which the actions take for their default.
func (v *Values) Number(key string) float64 { return v.numbers[key] }

// Rad is an angle in radians.
func (v *Values) Rad(key string) float64 { return v.numbers[key] * rad }

// Int is a whole number.
func (v *Values) Int(key string) int { return int(v.numbers[key]) }

// Span is a duration given in seconds.
func (v *Values) Span(key string) time.Duration {
	return time.Duration(v.numbers[key] * float64(time.Second))
}

// On reports whether a flag is true.
func (v *Values) On(key string) bool { return v.texts[key] == "true" }

// Text is a text.
func (v *Values) Text(key string) string { return v.texts[key] }

// String tells type, limits, default and meaning of a key in one line.
func (k *Key) String() string {
	var b strings.Builder
	b.WriteString(k.Doc)
	switch {
	case len(k.Choices) > 0:
		b.WriteString("; one of " + strings.Join(k.Choices, ", "))
	case k.Type == Number || k.Type == Whole:
		b.WriteString("; " + number(k.Min) + " to " + number(k.Max))
		if k.Unit != "" {
			b.WriteString(" " + k.Unit)
		}
	}
	if k.Required {
		b.WriteString("; required")
	} else if k.Default != "" {
		b.WriteString("; default " + k.Default)
	}
	return b.String()
}
