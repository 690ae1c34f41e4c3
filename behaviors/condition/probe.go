package condition

import (
	"slices"

	"github.com/robotd/robotd/resources"
)

// Accepts lists what a condition of a type accepts beside conditionType, by running the code that reads it on probes; nil for an unknown
// type.
func Accepts(name string) []resources.KeyInfo {
	k := kindNamed(name)
	if k == nil {
		return nil
	}
	return resources.Explore(func(o *resources.Object) { k.build(&reader{Object: o}) })
}

// KeysOf lists the keys of a condition type beside conditionType, as its row of the table names them.
func KeysOf(name string) []string {
	k := kindNamed(name)
	if k == nil {
		return nil
	}
	return slices.Clone(k.keys[1:])
}
