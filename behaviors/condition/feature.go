package condition

import (
	"fmt"
	"math"
	"strconv"
)

// featureGate is met while a feature is as expected. Names are resolved by the catalog, so that an unknown one is an error
// before anything runs.
func (r *reader) featureGate() Condition {
	feature, expected := r.name("feature", RefFeature), r.flagOr("expected", true)
	name := "FeatureGate(" + strconv.Quote(feature) + ")"
	if !expected {
		name = "FeatureGate(" + strconv.Quote(feature) + ", off)"
	}
	return newLeaf(name,
		func(v *View, f *facts) { *f = facts{a: v.Features[feature]} },
		func(f *facts) bool { return f.a == expected },
		func(f *facts) (string, Values) {
			return yesNo(f.a, "enabled", "disabled"), Values{{"enabled", f.a}, {"wanted", expected}}
		}).needing(func(f *facts, yes bool) string {
		return must("the feature "+feature, yes == expected, "be enabled") + it(yesNo(f.a, "enabled", "disabled"))
	})
}

// consoleVar is met while a console variable was set to a value, and to no other since.
func (r *reader) consoleVar() Condition {
	name, want := r.text("variable"), int32(r.count("value", math.MinInt32, math.MaxInt32))
	return newLeaf(fmt.Sprintf("ConsoleVar(%q, %d)", name, want),
		func(v *View, f *facts) {
			is, ever := v.Vars[name]
			*f = facts{n: is, a: ever}
		},
		func(f *facts) bool { return f.a && f.n == want },
		func(f *facts) (string, Values) {
			if !f.a {
				return "never set", one("wanted", int(want))
			}
			return "is " + strconv.Itoa(int(f.n)), Values{{"value", int(f.n)}, {"wanted", int(want)}}
		}).needing(func(_ *facts, yes bool) string {
		return must("the console variable "+strconv.Quote(name), yes, "be set to "+strconv.Itoa(int(want)))
	})
}
