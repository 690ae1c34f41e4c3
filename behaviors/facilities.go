package behaviors

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// What a behavior holds through the handles of this file is released by itself when the behavior is deactivated, in a fixed order
// (B-12), or when its incarnation is lost. Releasing early is for a behavior that goes on without it. A request that makes no sense,
// such as releasing what was never held, is refused with a *[stack.Refusal]: recorded, counted, and shown on the page. It returns
// nothing, because an author who made a mistake cannot decide anything about it at run time; [Control.Refusal] has it for tests.
//
// A name in parentheses, such as SmartLockTracks, is what earlier systems of this kind call the same.

// Tracks are the locks of body parts.
type Tracks struct{ c *Control }

// Tracks is the handle of the track locks.
func (c *Control) Tracks() Tracks { return Tracks{c} }

// Lock keeps actions and animations off the tracks until the key is unlocked or the behavior is deactivated (SmartLockTracks). The
// same key twice is refused (TRK-12).
func (h Tracks) Lock(key string, t actions.Tracks) bool {
	return h.c.do(Request{Kind: ReqLockTracks, Key: key, Args: t}).OK
}

// Unlock releases a key early.
func (h Tracks) Unlock(key string) { h.c.do(Request{Kind: ReqUnlockTracks, Key: key}) }

// Suppression keeps other behaviors from being activated. It never stops one that runs.
type Suppression struct{ c *Control }

// Suppression is its handle.
func (c *Control) Suppression() Suppression { return Suppression{c} }

// ThisTick keeps the listed behaviors from being activated for the rest of this tick (B-10). It works for questions asked later in
// the tick, so suppressors sit low on the stack.
func (h Suppression) ThisTick(ids ...string) {
	h.c.do(Request{Kind: ReqSuppressThisTick, IDs: ids})
}

// Hold keeps the listed behaviors from being activated until the key is released or the behavior is deactivated. The same key
// twice is refused.
func (h Suppression) Hold(key string, ids ...string) bool {
	return h.c.do(Request{Kind: ReqSuppress, Key: key, IDs: ids}).OK
}

// Release releases a key early.
func (h Suppression) Release(key string) { h.c.do(Request{Kind: ReqUnsuppress, Key: key}) }

// Intents are the user intents.
type Intents struct{ c *Control }

// Intents is their handle.
func (c *Control) Intents() Intents { return Intents{c} }

// Claim makes the pending intent the active one if it has the tag, and shows the feedback that the behavior's file asks for; the
// intent is released at deactivation (SmartActivateUserIntent). False means that nothing was claimed: no such intent is pending, or
// the behavior is not activated. A claim while another intent is active takes its place.
func (h Intents) Claim(tag string) (*condition.Intent, bool) {
	return h.claim(tag, h.c.inst.life.feedback)
}

// ClaimQuietly is Claim without feedback.
func (h Intents) ClaimQuietly(tag string) (*condition.Intent, bool) { return h.claim(tag, Feedback{}) }

func (h Intents) claim(tag string, f Feedback) (*condition.Intent, bool) {
	r := h.c.do(Request{Kind: ReqClaimIntent, Key: tag, Args: f})
	return r.Intent, r.OK
}

// Release releases the claimed intent early. Without one it does nothing.
func (h Intents) Release() { h.c.do(Request{Kind: ReqReleaseIntent}) }

// Drop empties the slot of the pending intent if that has the tag. False means that no such intent is pending. Only an activated behavior
// may do so.
func (h Intents) Drop(tag string) bool { return h.c.do(Request{Kind: ReqDropIntent, Key: tag}).OK }

// SetTimeout suspends (false) the timeout of the pending intent until the next new one, or makes it count from now on (true)
// (T-19). Only an activated behavior may suspend it, and makes it count again in its OnDeactivated at the latest.
func (h Intents) SetTimeout(on bool) { h.c.do(Request{Kind: ReqIntentTimeout, On: on}) }

// TriggerWord is the word that wakes the robot, and what it does at once when it hears it.
type TriggerWord struct{ c *Control }

// TriggerWord is its handle.
func (c *Control) TriggerWord() TriggerWord { return TriggerWord{c} }

// Clear takes the pending trigger word back, and reports whether there was one. Only an activated behavior may do so.
func (h TriggerWord) Clear() bool { return h.c.do(Request{Kind: ReqClearTriggerWord}).OK }

// Ignore makes the robot ignore the trigger word until it is heeded again or the behavior is deactivated (T-20;
// SmartDisableEngineResponseToTriggerWord). It may be called twice.
func (h TriggerWord) Ignore() { h.c.do(Request{Kind: ReqIgnoreTriggerWord}) }

// Heed ends Ignore early. It may be called twice; other behaviors may still ignore the word.
func (h TriggerWord) Heed() { h.c.do(Request{Kind: ReqHeedTriggerWord}) }

// Respond puts a response on top of the stack of responses: it is what the robot does at once when the trigger word comes
// (SmartPushResponseToTriggerWord). It is withdrawn when the behavior is deactivated or leaves scope. A second one of the same
// behavior takes the place of the first, on top, and is recorded as a refusal that was applied.
func (h TriggerWord) Respond(r condition.Response) {
	h.c.do(Request{Kind: ReqPushResponse, Args: r})
}

// RespondSilently pushes a response that shows nothing and opens no stream.
func (h TriggerWord) RespondSilently() {
	h.Respond(condition.Response{MinStreaming: -1, Effect: condition.StreamingDisabled})
}

// AlterStream pushes a copy of the topmost response with another effect (SmartAlterStreamStateForCurrentResponse). A response that the
// behavior pushed before is withdrawn first.
func (h TriggerWord) AlterStream(e condition.StreamEffect) {
	h.c.do(Request{Kind: ReqAlterResponse, Args: e})
}

// Withdraw pops the behavior's response early, wherever it is on the stack.
func (h TriggerWord) Withdraw() { h.c.do(Request{Kind: ReqPopResponse}) }

// Listen opens the stream of the microphone without the trigger word, as if it had been heard (StartWakeWordlessStreaming). The view shows
// the stream as [condition.Stream]; it closes with the next intent, after its time, or with StopListening. Only an activated behavior may
// do so. The word says what is listened for.
func (h TriggerWord) Listen(what string) { h.c.do(Request{Kind: ReqListen, Key: what}) }

// StopListening closes the stream early. Without one it does nothing.
func (h TriggerWord) StopListening() { h.c.do(Request{Kind: ReqStopListening}) }

// Emotions are the dimensions of the robot's mood.
type Emotions struct{ c *Control }

// Emotions is their handle.
func (c *Control) Emotions() Emotions { return Emotions{c} }

// Trigger makes an emotion event of the mood data happen. One that the data do not declare is refused.
func (h Emotions) Trigger(event string) { h.c.do(Request{Kind: ReqTriggerEmotion, Key: event}) }

// TriggerIfKnown is Trigger for the events that class code names: one that the data do not declare is left out, and false is the answer.
func (h Emotions) TriggerIfKnown(event string) bool {
	return h.c.do(Request{Kind: ReqTriggerEmotion, Key: event, On: true}).OK
}

// AtLeast raises an emotion to a value, within its range, if it is below it. It does nothing while the emotion is fixed.
func (h Emotions) AtLeast(e condition.Emotion, value float64) {
	h.c.do(Request{Kind: ReqEmotionAtLeast, Args: EmotionFix{e, value}})
}

// Fix holds an emotion at a value, within its range: it neither fades nor follows events until the key is released or the behavior is
// deactivated. Of several behaviors that fix the same emotion the latest counts. The same key twice is refused.
func (h Emotions) Fix(key string, e condition.Emotion, value float64) bool {
	return h.c.do(Request{Kind: ReqFixEmotion, Key: key, Args: EmotionFix{e, value}}).OK
}

// Unfix releases a key early. The emotion keeps its value and fades from there.
func (h Emotions) Unfix(key string) { h.c.do(Request{Kind: ReqUnfixEmotion, Key: key}) }

// Vision is what the eyes look for.
type Vision struct{ c *Control }

// Vision is its handle.
func (c *Control) Vision() Vision { return Vision{c} }

// Look replaces what the behavior needs to be seen until it is activated, deactivated or leaves scope the next time (B-22). An empty
// set releases it. It acts on the eyes in the next tick (T-2). Out of scope it is refused.
func (h Vision) Look(l hardware.Look) {
	if h.c.look("", l) {
		h.c.inst.looked = true
	}
}

// SetConditionActive sets a condition of the author's own active or inactive, with its eyes: it is a subscriber of its own, apart from
// the behavior (B-23). The label tells the conditions of one behavior apart and must not be empty. What is still subscribed is released
// when the behavior leaves scope.
func (h Vision) SetConditionActive(label string, w condition.Condition, active bool) {
	if look, sees := h.c.setActive(w, active); sees {
		h.c.look("own/"+label, look)
	}
}

func (c *Control) look(label string, l hardware.Look) bool {
	return c.do(Request{Kind: ReqLook, Key: label, Args: l}).OK
}

// setActive sets one condition active or inactive. Sees says that it needs anything to be seen: then look, which is empty if it became
// inactive, is to be subscribed.
func (c *Control) setActive(w condition.Condition, active bool) (look hardware.Look, sees bool) {
	w.SetActive(c.inv.View, active)
	look = condition.Looks(w)
	sees = !look.Empty()
	if !active {
		look = hardware.Look{}
	}
	return look, sees
}

// Motion is the motion profile: the default speeds of actions.
type Motion struct{ c *Control }

// Motion is its handle.
func (c *Control) Motion() Motion { return Motion{c} }

// SetProfile gives every action that starts meanwhile other default speeds, until it is cleared or the behavior is deactivated
// (SmartSetMotionProfile). Of several behaviors the newest one's holds. A second call replaces the first, and is recorded as a refusal
// that was applied.
func (h Motion) SetProfile(p actions.Profile) { h.c.do(Request{Kind: ReqSetProfile, Args: p}) }

// ClearProfile ends it early.
func (h Motion) ClearProfile() { h.c.do(Request{Kind: ReqClearProfile}) }

// A LightPattern is shown until it is removed. With OffFor it blinks: On for OnFor, Off for OffFor; otherwise it is On.
type LightPattern struct {
	On, Off       [5]hardware.RGB
	OnFor, OffFor time.Duration
}

// Lights are the custom patterns on the robot's back and on the cube.
type Lights struct{ c *Control }

// Lights is their handle.
func (c *Control) Lights() Lights { return Lights{c} }

// Show shows a pattern on one of [hardware.LightObjects] until it is removed or the behavior is deactivated (SmartSetCustomLights);
// animations leave the back lights alone meanwhile. A second pattern for the same object is refused and changes nothing.
func (h Lights) Show(object string, p LightPattern) {
	h.c.do(Request{Kind: ReqShowLights, Key: object, Args: p})
}

// Remove ends a pattern early.
func (h Lights) Remove(object string) { h.c.do(Request{Kind: ReqRemoveLights, Key: object}) }

// Power is the power-save mode.
type Power struct{ c *Control }

// Power is its handle.
func (c *Control) Power() Power { return Power{c} }

// Save asks for power saving until it is given up or the behavior is deactivated: dim face, dark lights (SmartRequestPowerSaveMode). It
// is not entered within 10 s of the last change.
func (h Power) Save() { h.c.do(Request{Kind: ReqSavePower}) }

// Spend gives the request up early; the last one to do so ends power saving at once.
func (h Power) Spend() { h.c.do(Request{Kind: ReqSpendPower}) }

// Face is the display.
type Face struct{ c *Control }

// Face is its handle.
func (c *Control) Face() Face { return Face{c} }

// Hold shows an expression, one of [hardware.Expressions], whenever no action shows another, until Release or the behavior's deactivation.
// The eyes blink and look around in it, unless it has them closed. Of several behaviors the newest one's is shown; a second call replaces
// the first. An expression that does not exist is refused.
func (h Face) Hold(expression string) { h.c.do(Request{Kind: ReqHoldFace, Key: expression}) }

// Release ends Hold early.
func (h Face) Release() { h.c.do(Request{Kind: ReqReleaseFace}) }

// KeepStill keeps the eyes from blinking and from looking around until KeepAlive or the behavior's deactivation (SmartDisableKeepFaceAlive).
func (h Face) KeepStill() { h.c.do(Request{Kind: ReqKeepFaceStill}) }

// KeepAlive ends KeepStill early.
func (h Face) KeepAlive() { h.c.do(Request{Kind: ReqKeepFaceAlive}) }

// PlayEmergencyGetOut plays an animation now and cancels the current action of any behavior. It is no delegation: it plays on when the
// behavior ends, which may call it in its OnDeactivated too. An action delegated meanwhile waits for its end. It is refused while the
// trigger word is being answered (B-20).
func (c *Control) PlayEmergencyGetOut(animation actions.Action) bool {
	r := c.do(Request{Kind: ReqGetOut, Action: animation, Label: actions.Describe(animation)})
	if !r.OK {
		return false
	}
	c.inv.Done = r.Done // of the own action, if that was the current one
	return true
}

// SetActiveFeature sets the product feature of this activation, in OnActivated only (SmartSetActiveFeatureOnActivated). It is refused
// when a feature is set already, by the file or by an earlier call, and when no file declares it.
func (c *Control) SetActiveFeature(feature string) {
	c.do(Request{Kind: ReqSetFeature, Key: feature, On: c.inst.activating})
}
