package barrier

import (
	"errors"
	"fmt"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// The deeds that are about mood, body, helpers and data. They follow those of player_test.go.
const (
	deedHelp deedKind = deedKinds + iota
	deedSucceed
	deedTell
	deedList
	deedForget
	deedLook
	deedEye
	deedProfile
	deedNoProfile
	deedLights
	deedNoLights
	deedPush
	deedPushEmpty
	deedAlter
	deedPop
	deedDeaf
	deedHear
	deedSave
	deedSpend
	deedFaceLock
	deedFaceFree
	deedGetOut
	deedFeel
	deedFix
	deedUnfix
	deedFeature
	deedRecount
	deedTimeout
	deedUnhear
	deedDisclaim
	deedQuietClaim
	deedUnsuggest
	deedBit
	deedInterrupt
	deedBorrow
	allDeeds
)

// calmDeeds are what most players of a calm play do most of the time.
var calmDeeds = []deedKind{deedPass, deedPassNow, deedHelp, deedHelp, deedSucceed, deedQuit, deedTell, deedInterrupt, deedInterrupt, deedInterrupt, deedAct, deedLook}

// A handyPlayer is a player that is a helper, takes data, and can be resumed.
type handyPlayer struct{ player }

func (h *handyPlayer) HelpsWithTask()                 {}
func (h *handyPlayer) OnResumed(c *behaviors.Control) { h.act("resumed", c) }

func (h *handyPlayer) WantsToBeActivatedWith(c *behaviors.Control, _ any) bool {
	h.act("with", c) // not with what: a tape does not hold it
	return (uint64(h.me)+c.Tick())%3 != 0
}

// A bit is the anonymous behavior of some players: a helper that succeeds at once.
type bit struct{}

func (bit) HelpsWithTask()                   {}
func (bit) OnActivated(c *behaviors.Control) { c.Succeed() }

// An eye is a condition that needs eyes.
type eye struct{ on bool }

func (e *eye) SetActive(_ *condition.View, active bool) { e.on = active }
func (e *eye) Met(*condition.View) bool                 { return false }
func (e *eye) String() string                           { return "eye" }
func (e *eye) Looks() hardware.Look                     { return hardware.LookFor(hardware.SeeMarkers, hardware.High) }

// modify sets the modifiers of a player.
func (p *play) modify(b *player, m *behaviors.Modifiers, of func(string) behaviors.Modifiers) {
	me := b.me
	m.AlwaysDelegates = !p.stays[me]
	traits := p.traits[me]
	if traits&traitBadModify != 0 {
		panic("modify of " + p.ids[me])
	}
	if traits&traitScopeLook != 0 {
		m.LookInScope = hardware.LookFor(hardware.SeeMotion, hardware.Low)
	}
	if traits&traitActiveLook != 0 {
		m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
	}
	for _, d := range b.next {
		if of(d).WhenOffTreads {
			m.WhenOffTreads = true
		}
	}
	m.WhenOffTreads = m.WhenOffTreads || (me+b.version)%3 == 0
}

// Traits of a player, drawn once.
const (
	traitHandy = 1 << iota
	traitIntent
	traitScopeLook
	traitActiveLook
	traitResumable
	traitCube
	traitManaged
	traitEnsures
	traitEmotion
	traitStat
	traitFeature
	traitNoFeature
	traitPush
	traitAlter
	traitAnonymous
	traitEyes
	traitBadInit // its Init panics now and then
	traitBadModify
)

// traitKeys are the JSON keys of a behavior's traits.
func traitKeys(traits int) (keys []byte) {
	for _, k := range []struct {
		trait int
		text  string
	}{
		{traitEmotion, `,"emotionEventOnActivated":"joy"`},
		{traitStat, `,"behaviorStatToIncrement":"played"`},
		{traitFeature, `,"associatedActiveFeature":"Fun"`},
		{traitNoFeature, `,"associatedActiveFeature":"NoFeature"`},
		{traitPush, `,"pushTriggerWordResponse":{"getInTrigger":"hello","streamAndLightEffect":"StreamingDisabled"}`},
		{traitAlter, `,"alterStreamAfterWakeword":"StreamingDisabledButWithLight"`},
		{traitAnonymous, `,"anonymousBehaviors":[{"behaviorClass":"Bit","behaviorName":"bit","behaviorStatToIncrement":"played"}]`},
		{traitEyes, `,"wantsToCancelSelfCondition":{"conditionType":"FaceKnown"}`},
	} {
		if traits&k.trait != 0 {
			keys = append(keys, k.text...)
		}
	}
	mods := `"wantsToBeActivatedWhenCarryingObject":true`
	switch {
	case traits&traitManaged != 0:
		mods += `,"cubeConnectionRequirements":"RequiredManaged"`
	case traits&traitCube != 0:
		mods += `,"cubeConnectionRequirements":"OptionalActive"`
	}
	if traits&traitEnsures != 0 {
		mods += `,"ensuresCubeConnectionAtDelegation":true`
	}
	if traits&traitResumable != 0 {
		mods += `,"resumableInterrupt":true`
	}
	return fmt.Appendf(keys, `,"behaviorModifiers":{%s}`, mods)
}

// playMood are the mood data of every play.
const playMood = `{
  "decayGraphs": [{ "emotionType": "Happy", "graphType": "TimeRatio", "nodes": [{ "x": 0, "y": 1 }, { "x": 0.3, "y": 0.4 }] }],
  "eventMapper": { "emotionEvents": [
    { "name": "joy", "emotionAffectors": [{ "emotionType": "Happy", "value": 0.7 }] },
    { "name": "grief", "emotionAffectors": [{ "emotionType": "Happy", "value": -0.9 }, { "emotionType": "Trust", "value": -0.2 }],
      "repetitionPenalty": { "nodes": [{ "x": 0, "y": 0 }, { "x": 1, "y": 1 }] } }
  ] },
  "actionResultEmotionEvents": { "WAIT": { "SUCCESS": "joy", "ABORT": "grief" } }
}`

// live are the deeds about helpers, data and mood.
func (b *player) live(c *behaviors.Control, d deed, to string) any {
	switch d.kind {
	case deedHelp:
		return fmt.Sprint(c.Wants(to), c.DelegateToHelper(to, b.won, b.failed))
	case deedSucceed:
		return c.Succeed()
	case deedTell:
		wants := c.WantsWith(to, d.ticks)
		err := actorstest.Refusal(c)
		return fmt.Sprint(wants, err, actorstest.Refusal(c, c.DelegateTo(to, b.then(d))))
	case deedList:
		return c.MayDelegateTo()
	case deedForget:
		c.Forget()
	case deedFeel:
		c.Emotions().Trigger([]string{"joy", "grief", "none"}[d.ticks%3])
		return actorstest.Refusal(c)
	case deedFix:
		return c.Emotions().Fix("f", condition.Emotion(d.ticks), 0.25)
	case deedUnfix:
		c.Emotions().Unfix("f")
		return actorstest.Refusal(c)
	case deedFeature:
		c.SetActiveFeature([]string{"Fun", "Onboarding", "none"}[d.ticks%3])
		return actorstest.Refusal(c)
	case deedRecount:
		c.ResetTimesStarted()
		return c.TimesStarted()
	case deedTimeout:
		c.Intents().SetTimeout(d.bad)
		return actorstest.Refusal(c)
	case deedUnhear:
		return c.TriggerWord().Clear()
	case deedDisclaim:
		c.Intents().Release()
	case deedQuietClaim:
		_, ok := c.Intents().ClaimQuietly("hello")
		return ok
	case deedUnsuggest:
		c.Suggest("Sleep")
		c.ClearSuggestions()
	case deedBorrow:
		if kept := b.door.kept[to]; kept != nil && kept != c { // of another owner, or of an earlier life: it moves nothing
			kept.SetState("borrowed")
			kept.Vision().Look(hardware.LookFor(hardware.SeeMotion, hardware.High))
			return fmt.Sprint(actorstest.Refusal(kept), kept.CancelSelf(), kept.CancelDelegates(), kept.CancelDelegatesWithCallback(), kept.Wants(b.id()),
				kept.DelegateTo(b.id(), nil), kept.Tracks().Lock("borrowed", actions.All))
		}
	case deedInterrupt:
		return b.interrupt(c, d, to)
	case deedBit:
		return c.CancelAndDelegateIfWanted(b.id()+"@bit", b.then(d))
	default:
		return b.body(c, d)
	}
	return nil
}

// interrupt takes control away for another behavior, and gives it back after that.
func (b *player) interrupt(c *behaviors.Control, d deed, to string) any {
	before := c.Delegate()
	for _, other := range b.play.delegates[b.me] {
		if before == to || before == "" {
			to = b.play.ids[other]
		}
	}
	return c.CancelAndDelegateIfWanted(to, func(c *behaviors.Control, o behaviors.Outcome) {
		b.note("give back to %q after %d: %v", before, o.Ended, before != "" && c.CancelAndDelegateIfWanted(before, b.then(d)))
	})
}

// body are the deeds about facilities of the body.
func (b *player) body(c *behaviors.Control, d deed) any {
	switch d.kind {
	case deedLook:
		c.Vision().Look(hardware.LookFor(hardware.VisionMode(d.ticks%3), hardware.Frequency(d.ticks)))
		return actorstest.Refusal(c)
	case deedEye:
		c.Vision().SetConditionActive("eye", b.eye, d.ticks > 0)
		return actorstest.Refusal(c)
	case deedProfile:
		c.Motion().SetProfile(actions.Profile{DriveMMPS: float64(50 + d.ticks)})
		return actorstest.Refusal(c)
	case deedNoProfile:
		c.Motion().ClearProfile()
		return actorstest.Refusal(c)
	case deedLights:
		c.Lights().Show(lightObjects[d.ticks%3], behaviors.LightPattern{
			On: [5]hardware.RGB{{R: uint8(b.me)}}, OnFor: 20 * time.Millisecond, OffFor: time.Duration(d.ticks) * 30 * time.Millisecond,
		})
		return actorstest.Refusal(c)
	case deedNoLights:
		c.Lights().Remove(lightObjects[d.ticks%3])
		return actorstest.Refusal(c)
	case deedPush:
		c.TriggerWord().Respond(condition.Response{GetIn: "hello", Effect: condition.StreamEffect(d.ticks % 3)})
		return actorstest.Refusal(c)
	case deedPushEmpty:
		c.TriggerWord().RespondSilently()
		return actorstest.Refusal(c)
	case deedAlter:
		c.TriggerWord().AlterStream(condition.StreamEffect(d.ticks % 3))
		return actorstest.Refusal(c)
	case deedPop:
		c.TriggerWord().Withdraw()
		return actorstest.Refusal(c)
	case deedDeaf:
		c.TriggerWord().Ignore()
		return actorstest.Refusal(c)
	case deedHear:
		c.TriggerWord().Heed()
		return actorstest.Refusal(c)
	case deedSave:
		c.Power().Save()
		return actorstest.Refusal(c)
	case deedSpend:
		c.Power().Spend()
		return actorstest.Refusal(c)
	case deedFaceLock:
		c.Face().KeepStill()
		return actorstest.Refusal(c)
	case deedFaceFree:
		c.Face().KeepAlive()
		return actorstest.Refusal(c)
	case deedGetOut:
		return c.PlayEmergencyGetOut(&stint{left: d.ticks, bad: d.bad, tracks: actions.Face})
	}
	panic(errors.New("a deed that nobody does"))
}

var lightObjects = []string{hardware.LightsBackpack, hardware.LightsCube, "lamp"}

func (b *player) won(c *behaviors.Control, o behaviors.Outcome) {
	b.note("won %d %v", o.Ended, o.Success)
	b.act("won", c)
}

func (b *player) failed(c *behaviors.Control, o behaviors.Outcome) {
	b.note("failed %d %v", o.Ended, o.Success)
	b.act("failed", c)
}
