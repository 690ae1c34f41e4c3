package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// An Override is what an operator says about a feature. It wins over the files.
type Override uint8

// The overrides.
const (
	OverrideDefault Override = iota // as the files say
	OverrideEnabled
	OverrideDisabled
	overrides
)

// OverrideNames are the names, by number.
var OverrideNames = []string{"Default", "Enabled", "Disabled"}

func (o Override) String() string { return OverrideNames[o] }

// ParseOverride reads a name, in any case.
func ParseOverride(name string) (Override, error) {
	for i, n := range OverrideNames {
		if strings.EqualFold(n, name) {
			return Override(i), nil
		}
	}
	return 0, resources.Unknown("override", name, OverrideNames)
}

// A Gate is one feature and whether it is on.
type Gate struct {
	Feature  string
	Enabled  bool
	InFiles  bool // enabled by the files
	Override Override
}

// An Overridden is the override of one feature, as a memory keeps it.
type Overridden struct {
	Feature string
	Enabled bool
}

// Gates are the features that the data declare, by name.
func (e *Engine) Gates() []Gate {
	boot := &e.catalog.Boot
	gates := make([]Gate, len(boot.Features))
	for i, name := range boot.Features {
		gates[i] = Gate{Feature: name, Enabled: e.view.Features[name], InFiles: slices.Contains(boot.Enabled, name), Override: e.feature.overrides[name]}
	}
	return gates
}

// Settings grows with each change of what operators set for good: overrides of features, and chosen reactions.
func (e *Engine) Settings() uint64 { return e.settings }

// override carries out the command SetFeature. It is in force in the tick of the command, before any hook runs.
func (f *feature) override(name string, to Override) (text, err string) {
	if known := f.core.catalog.Boot.Features; !slices.Contains(known, name) {
		return "", unknown("feature", name, known)
	}
	if to >= overrides {
		return "", fmt.Sprintf("there is no override %d", to)
	}
	f.overrides = maps.Clone(f.overrides)
	if f.overrides == nil {
		f.overrides = map[string]Override{}
	}
	if f.overrides[name] = to; to == OverrideDefault {
		delete(f.overrides, name)
	}
	f.enable()
	f.core.settings++
	state := "disabled"
	if f.core.view.Features[name] {
		state = "enabled"
	}
	if to == OverrideDefault {
		return fmt.Sprintf("feature %s is as the files say: %s", name, state), ""
	}
	return fmt.Sprintf("feature %s is %s, whatever the files say", name, state), ""
}

// remembered are the overrides for a memory, by name. Features that nothing declares any more are among them: the definitions may come back.
func (f *feature) remembered() (list []Overridden) {
	for _, name := range slices.Sorted(maps.Keys(f.overrides)) {
		list = append(list, Overridden{name, f.overrides[name] == OverrideEnabled})
	}
	return list
}

// remember takes up the overrides of an earlier life.
func (f *feature) remember(list []Overridden) {
	if len(list) == 0 {
		return
	}
	f.overrides = map[string]Override{}
	for _, o := range list {
		f.overrides[o.Feature] = OverrideDisabled
		if o.Enabled {
			f.overrides[o.Feature] = OverrideEnabled
		}
	}
	f.enable()
}

// enable shows conditions which features are on: by the catalog, unless an operator says otherwise.
func (f *feature) enable() {
	boot := &f.core.catalog.Boot
	enabled := map[string]bool{}
	for _, name := range boot.Enabled {
		enabled[name] = f.overrides[name] != OverrideDisabled
	}
	for _, name := range boot.Features {
		if f.overrides[name] == OverrideEnabled {
			enabled[name] = true
		}
	}
	f.core.change(func(v *condition.View) { v.Features = enabled })
}

// gated is the intent of a command; the unmatched one if the feature that it needs is off (data/4.2).
func (e *Engine) gated(c *Command) *condition.Intent {
	if c.Gate == "" || e.view.Features[c.Gate] {
		return c.Intent
	}
	return &condition.Intent{Tag: e.catalog.Intents.Unmatched, Source: c.Intent.Source}
}
