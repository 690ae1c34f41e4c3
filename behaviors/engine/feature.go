package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// A FeatureRun is one time for which a product feature was the active one (B-25).
type FeatureRun struct {
	Feature string // behaviors.NoFeature if none is active
	Run     uint64 // grows by one with each change
	Since   time.Time
	// Source is the cause: the source of the user intent that led to it, or "AI".
	Source string
	// Onboarding says that a behavior on the stack declares the feature of that name.
	Onboarding bool
}

// A FeatureChange is the start or the end of a run. NoFeature has neither.
type FeatureChange struct {
	FeatureRun
	Ended    bool
	Duration time.Duration // of a run that ended
}

// Names with a meaning among features and sources.
const (
	featureOnboarding = "Onboarding"
	sourceAI          = "AI"
)

// feature is the active one.
type feature struct {
	core *core
	FeatureRun
	claimed uint64 // newest activation of an intent that a run was credited to

	overrides map[string]Override // those that are not the default
}

// NoFeature is the active feature when there is none.
const NoFeature = behaviors.NoFeature

// FeatureNames lists the features that the data declare, sorted, and then NoFeature.
func (e *Engine) FeatureNames() []string {
	return append(slices.Clone(e.catalog.Boot.Features), NoFeature)
}

// Feature is the active feature.
func (e *Engine) Feature() FeatureRun { return e.feature.FeatureRun }

// start prepares what a catalog says about features.
func (f *feature) start() {
	f.Feature = behaviors.NoFeature
	f.enable()
}

// set serves Control.SetActiveFeature.
func (f *feature) set(c *Cell, r *behaviors.Request) {
	switch {
	case !r.On:
		f.core.refuse(c, r, stack.NotTheTime)
	case c.feature != "" || c.Inc.Inst.Feature() != "":
		f.core.refuse(c, r, stack.AlreadySet)
	case !slices.Contains(f.core.catalog.Boot.Features, r.Key):
		f.core.refuse(c, r, stack.UnknownName)
	default:
		c.own().feature = r.Key
	}
}

// drop forgets what code of c set.
func (f *feature) drop(c *Cell) {
	if c.feature != "" {
		c.feature = ""
	}
}

// follow finds the active feature anew, in ticks in which the stack changed (L-40): that of the behavior nearest the top that has one.
func (f *feature) follow() {
	k := f.core
	if k.stack.Changed() != k.view.Tick {
		return
	}
	next := FeatureRun{Feature: behaviors.NoFeature, Since: k.view.Now}
	for i := range k.stack.Layers() {
		switch name := k.stack.Layers()[i].Node().Data.(*Cell).featureName(); name {
		case "", behaviors.NoFeature:
		default:
			next.Feature = name
			next.Onboarding = next.Onboarding || name == featureOnboarding
		}
	}
	if next.Feature == f.Feature {
		return
	}
	now := f
	if now.Feature != behaviors.NoFeature {
		k.out.Features = append(k.out.Features, FeatureChange{FeatureRun: now.FeatureRun, Ended: true, Duration: k.view.Now.Sub(now.Since)})
	}
	next.Run, next.Source = now.Run+1, sourceAI
	if a := k.view.Intent.Active; a != nil && a.Activation > now.claimed && next.Feature != behaviors.NoFeature {
		next.Source, now.claimed = a.Source, a.Activation
	}
	now.FeatureRun = next
	k.change(func(v *condition.View) { v.Services.Feature = next.Feature })
	if next.Feature != behaviors.NoFeature {
		k.out.Features = append(k.out.Features, FeatureChange{FeatureRun: next})
	}
}

// featureName is the feature of a behavior on the stack.
func (c *Cell) featureName() string {
	switch {
	case c.feature != "":
		return c.feature
	case c.Inc == nil:
		return ""
	}
	return c.Inc.Inst.Feature()
}
