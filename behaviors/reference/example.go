package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// ExampleID is the ID of the behavior in examples of classes.
const ExampleID = "Example"

// Example writes a behavior of the class with the keys that it needs. The names in it are some of names. ok is false if no
// example could be found that the class accepts.
func (r *Reference) Example(class, id string, names Names) (text string, ok bool) {
	c := r.Class(class)
	if c == nil {
		return "", false
	}
	names = fixedNames().with(names)
	head := []pair{{"behaviorClass", class}, {"behaviorID", id}}
	var private []any
	for _, id := range c.Fixed {
		if name, ok := strings.CutPrefix(id, "@"); ok {
			private = append(private, []pair{{"behaviorClass", "Wait"}, {"behaviorName", name}})
		}
	}
	if private != nil {
		head = append(head, pair{"anonymousBehaviors", private})
	}
	return search(c.Keys, head, handmade()[class], names, func(text string) bool {
		return r.accepts(class, id, text)
	})
}

// ConditionExample writes a condition of a type, like [Reference.Example].
func (r *Reference) ConditionExample(name string, names Names) (text string, ok bool) {
	c := r.Condition(name)
	if c == nil {
		return "", false
	}
	return search(c.Keys, []pair{{"conditionType", name}}, handmade()[name], fixedNames().with(names), r.acceptsCondition)
}

// handmade are the keys of examples that cannot be made from kinds of keys: values that must fit each other.
func handmade() map[string]string {
	const machine = `"initialState": "Rest", "states": [{ "name": "Rest", "behavior": "Wait" }, { "name": "Charge", "behavior": "Wait" }], ` +
		`"transitionDefinitions": [{ "from": "Rest", "interruptingTransitions": [{ "to": "Charge", "condition": { "conditionType": "OnCharger" } }] }, ` +
		`{ "from": "Charge", "exitTransitions": [{ "to": "Rest", "condition": { "conditionType": "TrueCondition" } }] }]`
	const look = `"params": { "behavior_DistanceFromRecentLocationMin_mm": 0, "behavior_RecentLocationsMax": 0, "behavior_AngleOfFocus_deg": 0, "behavior_CanCarryCube": true, ` +
		`"behavior_ShouldResetTurnDirection": true, "behavior_ResetBodyFacingOnStart": true, "behavior_ShouldLowerLift": false, "s0_MainTurnCWChance": 0.5, ` +
		`"s1_BodyAngleRangeMin_deg": 5, "s1_BodyAngleRangeMax_deg": 20, "s1_HeadAngleRangeMin_deg": 0, "s1_HeadAngleRangeMax_deg": 15, ` +
		`"s2_WaitMin_sec": 0.5, "s2_WaitMax_sec": 1.5, "s2_WaitAnimTrigger": "Count", ` +
		`"s3_BodyAngleRangeMin_deg": 40, "s3_BodyAngleRangeMax_deg": 70, "s3_HeadAngleRangeMin_deg": 0, "s3_HeadAngleRangeMax_deg": 15, ` +
		`"s4_BodyAngleRelativeRangeMin_deg": 0, "s4_BodyAngleRelativeRangeMax_deg": 5, "s4_HeadAngleRangeMin_deg": 0, "s4_HeadAngleRangeMax_deg": 35, ` +
		`"s4_HeadAngleChangesMin": 1, "s4_HeadAngleChangesMax": 2, "s4_WaitBetweenChangesMin_sec": 0.5, "s4_WaitBetweenChangesMax_sec": 1, "s4_WaitAnimTrigger": "Count", ` +
		`"s5_BodyAngleRelativeRangeMin_deg": 0, "s5_BodyAngleRelativeRangeMax_deg": 5, "s5_HeadAngleRangeMin_deg": -10, "s5_HeadAngleRangeMax_deg": 0, ` +
		`"s6_BodyAngleRangeMin_deg": 50, "s6_BodyAngleRangeMax_deg": 80, "s6_HeadAngleRangeMin_deg": 0, "s6_HeadAngleRangeMax_deg": 15, ` +
		`"sx_BodyTurnSpeed_degPerSec": 90, "sxt_HeadTurnSpeed_degPerSec": 60, "sxh_HeadTurnSpeed_degPerSec": 60 }`
	return map[string]string{
		"LookAroundInPlace": look,
		"StateMachine":      machine, "HighLevelAI": machine, "PRDemo": machine,
		"FindFaceAndThen":   `"shouldLeaveChargerFirst": false, "useBodyDetector": false, "behavior": "Wait", "callSetFaceOnBehavior": false`,
		compound:            `"and": [{ "conditionType": "OnCharger" }, { "not": { "conditionType": "TriggerWordPending" } }]`,
		"DispatcherScoring": `"interruptActiveBehavior": true, "behaviors": [{ "behaviorID": "Wait", "scoring": { "flatScore": 0.5 } }]`,
	}
}

// A pair is a key with its value.
type pair struct {
	key   string
	value any
}

// search tries the required keys alone, then with each optional one, then with two of them.
func search(keys []resources.KeyInfo, head []pair, byHand string, names Names, accept func(text string) bool) (string, bool) {
	var optional []resources.KeyInfo
	for _, k := range keys {
		switch {
		case k.Name == resources.AnyKey, k.Refused, strings.Contains(byHand, `"`+k.Name+`": `):
		case k.Required, names.lacks(k):
			head = append(head, pair{k.Name, names.value(k)})
		default:
			optional = append(optional, k)
		}
	}
	if byHand != "" {
		text := strings.TrimSuffix(write(head), " }") + ", " + byHand + " }"
		return text, accept(text)
	}
	first := write(head)
	if accept(first) {
		return first, true
	}
	for n := range optional {
		for m := n; m < len(optional); m++ {
			more := append(slices.Clone(head), pair{optional[n].Name, names.value(optional[n])})
			if m > n {
				more = append(more, pair{optional[m].Name, names.value(optional[m])})
			}
			if text := write(more); accept(text) {
				return text, true
			}
		}
	}
	return first, false
}

// lacks reports whether the default of a key names something that is not there.
func (n Names) lacks(k resources.KeyInfo) bool {
	name, isName := k.Default.(string)
	known, listed := n[k.Ref]
	return isName && listed && !slices.Contains(known, name)
}

// write writes an object on one line.
func write(pairs []pair) string {
	var b strings.Builder
	b.WriteString("{ ")
	for i, p := range pairs {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q: %s", p.key, inline(p.value))
	}
	b.WriteString(" }")
	return b.String()
}

// inline writes a value on one line.
func inline(v any) string {
	switch v := v.(type) {
	case []pair:
		return write(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = inline(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "null"
	}
	return strings.TrimSpace(b.String())
}

// value is a valid value of a key, as far as its own reader decides.
func (n Names) value(k resources.KeyInfo) any {
	if k.Only != nil {
		return k.Only
	}
	switch k.Kind {
	case resources.KindFlag:
		return true
	case resources.KindWhole, resources.KindReal, resources.KindDuration:
		return plainNumber(k)
	case resources.KindWord:
		return first(k.Words, "name")
	case resources.KindRef:
		return n.one(k.Ref)
	case resources.KindText:
		return "name"
	case resources.KindList:
		return []any{n.value(*k.Elem)}
	case resources.KindKeys:
		pairs := []pair{}
		for _, sub := range k.Keys {
			if sub.Required {
				pairs = append(pairs, pair{sub.Name, n.value(sub)})
			}
		}
		return pairs
	case resources.KindCondition:
		return []pair{{"conditionType", "TrueCondition"}}
	}
	return true
}

// one is a name of a kind; a plain behavior, if it is of that kind.
func (n Names) one(kind string) string {
	names := n[kind]
	if kind == behaviors.RefBehavior && (len(names) == 0 || slices.Contains(names, "Wait")) {
		return "Wait"
	}
	return first(names, strings.ReplaceAll(kind, " ", "_"))
}

func first(words []string, otherwise string) string {
	if len(words) == 0 {
		return otherwise
	}
	return words[0]
}

// plainNumber is the default, or the number within the limits next to one.
func plainNumber(k resources.KeyInfo) any {
	if k.Default != nil {
		return k.Default
	}
	f := 1.0
	if k.Low != 0 || k.High != 0 {
		f = math.Max(k.Low, math.Min(k.High, f))
	}
	return f
}

// accepts reports whether the class reads a file without an error or an unknown key.
func (r *Reference) accepts(class, id, text string) bool {
	d, diags := resources.Parse("example.json", []byte(text))
	if d == nil || diags.HasErrors() {
		return false
	}
	o := d.Root()
	for _, k := range r.Instance {
		o.Declare(k.Name)
	}
	behaviors.ReadReferences(id, r.registry.Find(class), o)
	d.Finish()
	found := d.Diagnostics()
	return !found.HasErrors() && found.Count(resources.Warning) == 0
}

func (r *Reference) acceptsCondition(text string) bool {
	d, diags := resources.Parse("example.json", []byte(text))
	if d == nil || diags.HasErrors() {
		return false
	}
	c := condition.Parser{Types: r.registry.Conditions()}.Parse(d.Root())
	d.Finish()
	found := d.Diagnostics()
	return c != nil && !found.HasErrors() && found.Count(resources.Warning) == 0
}
