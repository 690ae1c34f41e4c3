package condition

import "strconv"

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
