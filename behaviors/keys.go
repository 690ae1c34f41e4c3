package behaviors

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// RefClip is the kind of references to animation clips.
const RefClip = "clip"

// bodyKeys is what the common JSON keys say about facilities of the body.
type bodyKeys struct {
	alter    bool // the effect of the current response is altered while activated
	effect   condition.StreamEffect
	response *condition.Response // pushed while activated; nil for none
}

// maxStreaming bounds minStreamingDuration_ms: no user talks longer to a robot.
const maxStreaming = time.Minute

// readBody reads alwaysStreamline, alterStreamAfterWakeword and pushTriggerWordResponse.
func (i *Instance) readBody(cfg *Config) {
	const keyAlter, keyPush = "alterStreamAfterWakeword", "pushTriggerWordResponse"
	if cfg.Has(keyAlter) {
		i.body.effect, i.body.alter = effectOf(cfg.Object, keyAlter)
	}
	m, ok := cfg.ObjectOr(keyPush)
	if !ok {
		return
	}
	if cfg.Has(keyAlter) {
		cfg.Errorf(cfg.KeyPos(keyPush), "stream-conflict", "%s and %s exclude each other: keep one (M-38)", keyAlter, keyPush)
	}
	r := &condition.Response{GetIn: m.RefOr("getInTrigger", RefClip, ""), Sound: m.StringOr("postAudioEvent", "")}
	r.MinStreaming = time.Duration(m.IntRangeOr("minStreamingDuration_ms", -1, -1, int(maxStreaming/time.Millisecond))) * time.Millisecond
	r.Effect, _ = effectOf(m, "streamAndLightEffect")
	m.Finish()
	i.body.response = r
}

// effectOf reads an optional effect, and whether there is one.
func effectOf(o *resources.Object, key string) (condition.StreamEffect, bool) {
	e := slices.Index(condition.StreamEffectNames, o.EnumOr(key, "", condition.StreamEffectNames))
	return condition.StreamEffect(max(e, 0)), e >= 0
}

// readCube reads the modifiers about the cube.
func (i *Instance) readCube(m *resources.Object) {
	need := m.EnumOr("cubeConnectionRequirements", i.mods.Cube.String(), CubeRequirementNames)
	i.mods.Cube = CubeRequirement(max(0, slices.Index(CubeRequirementNames, need)))
	i.mods.CubeInBackground = m.BoolOr("connectToCubeInBackground", i.mods.CubeInBackground)
	i.mods.EnsuresCube = m.BoolOr("ensuresCubeConnectionAtDelegation", i.mods.EnsuresCube)
	for _, key := range []string{"visionModesForActivatableScope", "visionModesForActiveScope"} {
		if m.Has(key) {
			m.Declare(key)
			m.Errorf(m.KeyPos(key), "modifier-illegal", "%s cannot be set in JSON: the class decides (B-5)", key)
		}
	}
}

// answerWord is B-11 (4).
func (i *Instance) answerWord(c *Control) {
	switch {
	case i.body.alter:
		c.TriggerWord().AlterStream(i.body.effect) // nothing to alter is counted and logged where it is found
	case i.body.response != nil:
		c.TriggerWord().Respond(*i.body.response)
	}
}

// gateCarrying is gate 5, gateCube gate 6; empty if they are open.
func (i *Instance) gateCarrying(b *hardware.Body) string {
	if b.Carrying && !i.mods.WhenCarryingObject {
		return "carrying an object"
	}
	return ""
}

func (i *Instance) gateCube(c *Control) string {
	switch {
	case !i.mods.Cube.Required():
		return ""
	case !c.inv.View.World.Body.CubeConnected:
		return "no cube is connected"
	case i.mods.Cube == CubeRequiredManaged && !c.inv.Ensured:
		c.do(Request{Kind: ReqReportMissingEnsurer})
		return "no active ancestor keeps the cube connected"
	}
	return ""
}
