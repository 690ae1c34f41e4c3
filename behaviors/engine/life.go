package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// serveLife answers requests about mood, feature, intents and trigger word.
func (e *Engine) serveLife(c *Cell, r *behaviors.Request) {
	if r.Kind == behaviors.ReqResetStarted {
		c.counted, r.OK = 0, true
		return
	}
	if !c.Node.Activated() && r.Kind != behaviors.ReqUnfixEmotion {
		return // who is never deactivated would never give it back
	}
	switch r.Kind {
	case behaviors.ReqTriggerEmotion:
		if r.OK = e.triggerEmotion(r.Key); !r.OK {
			e.warn(WarnEmotionUnknown, c, r.Key)
		}
	case behaviors.ReqFixEmotion:
		r.OK = e.fixEmotion(c, r.Key, r.Emotion, r.Value)
	case behaviors.ReqUnfixEmotion:
		r.OK = e.unfixEmotion(c, r.Key)
	case behaviors.ReqSetFeature:
		if r.OK = e.setFeature(c, r.Key); !r.OK {
			e.warn(WarnFeatureRefused, c, r.Key)
		}
	case behaviors.ReqClearTriggerWord:
		r.OK = e.clearTrigger()
	case behaviors.ReqIntentTimeout:
		e.timeIntent(r.On)
		r.OK = true
	}
}

// countActivation counts the stat of the file, then the one of every activation (B-11 (10)).
func (e *Engine) countActivation(c *Cell) {
	if e.stats == nil {
		e.stats = map[string]uint64{}
	}
	if stat := c.Inc.Inst.Stat(); stat != "" {
		e.stats[stat]++
	}
	e.stats[behaviors.StatActivated]++
}

// StatNames lists the counters that the data declare, sorted, and then that of all activations.
func (e *Engine) StatNames() []string {
	return append(slices.Clone(e.catalog.Boot.Stats), behaviors.StatActivated)
}

// Stat is how often a counter was incremented since the start.
func (e *Engine) Stat(name string) uint64 { return e.stats[name] }

// A FeatureRun is one time for which a product feature was the active one (B-25).
type FeatureRun struct {
	Feature string // behaviors.NoFeature if none is active
	Run     uint64 // grows by one with each change
	Since   time.Time
	// Source is who wanted it: the source of the user intent that led to it, or "AI".
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
	FeatureRun
	claimed uint64 // newest activation of an intent that a run was credited to
}

// NoFeature is the active feature when there is none.
const NoFeature = behaviors.NoFeature

// FeatureNames lists the features that the data declare, sorted, and then NoFeature.
func (e *Engine) FeatureNames() []string {
	return append(slices.Clone(e.catalog.Boot.Features), NoFeature)
}

// Feature is the active feature.
func (e *Engine) Feature() FeatureRun { return e.feature.FeatureRun }

// setFeature is SmartSetActiveFeatureOnActivated.
func (e *Engine) setFeature(c *Cell, name string) bool {
	if c.smart.feature != "" || c.Inc.Inst.Feature() != "" || !slices.Contains(e.catalog.Boot.Features, name) {
		return false
	}
	c.smart.feature = name
	return true
}

// followFeature finds the active feature anew, in ticks in which the stack changed (L-40): that of the behavior nearest the
// top that has one.
func (e *Engine) followFeature() {
	if e.stack.Changed() != e.view.Tick {
		return
	}
	next := FeatureRun{Feature: behaviors.NoFeature, Since: e.view.Now}
	for i := range e.stack.Layers() {
		switch f := e.featureOf(e.cells[e.stack.Layers()[i].Node().ID]); f {
		case "", behaviors.NoFeature:
		default:
			next.Feature = f
			next.Onboarding = next.Onboarding || f == featureOnboarding
		}
	}
	if next.Feature == e.feature.Feature {
		return
	}
	now := &e.feature
	if now.Feature != behaviors.NoFeature {
		e.out.Features = append(e.out.Features, FeatureChange{FeatureRun: now.FeatureRun, Ended: true, Duration: e.view.Now.Sub(now.Since)})
	}
	next.Run, next.Source = now.Run+1, sourceAI
	if a := e.view.Intent.Active; a != nil && a.Activation > now.claimed && next.Feature != behaviors.NoFeature {
		next.Source, now.claimed = a.Source, a.Activation
	}
	now.FeatureRun = next
	if next.Feature != behaviors.NoFeature {
		e.out.Features = append(e.out.Features, FeatureChange{FeatureRun: next})
	}
}

// featureOf is what a behavior on the stack says of the feature.
func (e *Engine) featureOf(c *Cell) string {
	switch {
	case c.smart.feature != "":
		return c.smart.feature
	case c.Inc == nil:
		return ""
	}
	return c.Inc.Inst.Feature()
}

// FeatureFeedback is the feature that turns the feedback lights on (data/4.5e).
const FeatureFeedback = "ActiveIntentFeedback"

// feedbackTime is how long feedback lasts that goes off by itself.
const feedbackTime = 5 * time.Second

// feedback are the back lights that show that an intent is active. They belong to the behavior that turned them on first
// (B-26).
type feedback struct {
	owner *Cell
	until time.Time // zero = as long as the intent is active
}

// showFeedback turns the lights on for c, unless they are on for somebody else.
func (e *Engine) showFeedback(c *Cell, f behaviors.Feedback) {
	if !f.Show || e.feedback.owner != nil || !e.view.Features[FeatureFeedback] {
		return
	}
	e.feedback = feedback{owner: c}
	if f.AutoOff {
		e.feedback.until = e.view.Now.Add(feedbackTime)
	}
	e.showRest()
}

// rest is what the back lights show without a custom pattern: the feedback, or nothing.
func (e *Engine) rest() hardware.SetLights {
	if e.feedback.owner == nil {
		return hardware.SetLights{}
	}
	color := hardware.RGB{R: 0, G: 80, B: 160}
	return hardware.SetLights{Colors: [5]hardware.RGB{color, color, color, color, color}}
}

// showRest gives the order for it, unless a custom pattern is on.
func (e *Engine) showRest() {
	if !e.services.lights.used(hardware.LightsBackpack) {
		e.send(e.rest())
	}
}

// endFeedback turns the lights off if they are on for c.
func (e *Engine) endFeedback(c *Cell) {
	if c != nil && e.feedback.owner == c {
		e.feedback = feedback{}
		e.showRest()
	}
}

// ageFeedback turns the lights off when their time is over.
func (e *Engine) ageFeedback() {
	if u := e.feedback.until; !u.IsZero() && !e.view.Now.Before(u) {
		e.endFeedback(e.feedback.owner)
	}
}

// features makes the set that conditions look at.
func features(enabled []string) map[string]bool {
	m := make(map[string]bool, len(enabled))
	for _, f := range enabled {
		m[f] = true
	}
	return m
}

// startLife prepares what a catalog says about mood and features.
func (e *Engine) startLife() {
	e.feature.Feature = behaviors.NoFeature
	e.view.Features = features(e.catalog.Boot.Enabled)
}
