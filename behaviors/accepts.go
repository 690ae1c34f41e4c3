package behaviors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// Accepted is what a class accepts beside the common keys.
type Accepted struct {
	Keys []resources.KeyInfo
	// Delegates are the IDs that its code declares whatever the file says, sorted. One that begins with @ is the name of an anonymous
	// behavior that the file must have.
	Delegates []string
	// Intents are the tags of user intents that its code waits for, sorted.
	Intents []string
}

// Accepts learns what a class accepts by running its constructor on probes. A constructor that panics there is an error of its author; what
// it read before is returned along.
func Accepts(class *Class) (a Accepted, err error) {
	var names, tags []string
	a.Keys = resources.Explore(func(o *resources.Object) {
		cfg := &Config{Object: o, id: class.Name, class: class}
		defer func() {
			if r := recover(); r != nil && err == nil {
				err = fmt.Errorf("class %s: New panics when it reads parameters that are all valid: %v", class.Name, r)
			}
			names, tags = append(names, cfg.delegates.sorted()...), append(tags, cfg.waitTags()...)
		}()
		class.New(cfg)
	})
	slices.Sort(names)
	for _, id := range slices.Compact(names) {
		if id != RefBehavior && !isDefault(a.Keys, id) {
			if own, ok := strings.CutPrefix(id, class.Name+"@"); ok {
				id = "@" + own
			}
			a.Delegates = append(a.Delegates, id)
		}
	}
	slices.Sort(tags)
	a.Intents = slices.Compact(tags)
	return a, err
}

// isDefault reports whether a behavior is the default of a key, and so not fixed.
func isDefault(keys []resources.KeyInfo, id string) bool {
	return slices.ContainsFunc(keys, func(k resources.KeyInfo) bool {
		return k.Ref == RefBehavior && k.Default == any(id) || isDefault(k.Keys, id)
	})
}

// CommonKeys lists the keys that package behaviors reads for every class.
func CommonKeys() []resources.KeyInfo {
	class := &Class{Name: "Any", New: func(*Config) Behavior { return nil }}
	return resources.Explore(func(o *resources.Object) { newInstance(class.Name, class, o) })
}
