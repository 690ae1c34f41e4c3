package behaviors

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// The requests for facilities of the body. They are numbered apart from the others, which are about the stack.
const (
	ReqLook          RequestKind = iota + 100 // Key: "" for the behavior, else the label of a condition; Body.Look
	ReqSetProfile                             // Body.Profile
	ReqClearProfile                           //
	ReqSetLights                              // Key: object; Body.Lights
	ReqRemoveLights                           // Key: object
	ReqDeaf                                   // disable the response to the trigger word
	ReqHear                                   // enable it again
	ReqPushResponse                           // Body.Response
	ReqAlterResponse                          // Body.Response.Effect
	ReqPopResponse                            //
	ReqSavePower                              //
	ReqSpendPower                             //
	ReqLockFace                               //
	ReqUnlockFace                             //
	ReqGetOut                                 // Action
	ReqSubscribeCube                          // Body.Cube, Body.Background
	ReqNoEnsurer                              // gate 6 found no ancestor that keeps the cube connected
)

// BodyRequest is what requests for facilities of the body carry.
type BodyRequest struct {
	Look       hardware.Look
	Profile    actions.Profile
	Lights     LightPattern
	Response   condition.Response
	Cube       CubeRequirement
	Background bool
}

// A LightPattern is shown until it is removed. With OffFor it blinks: On for OnFor, Off for OffFor; otherwise it is On.
type LightPattern struct {
	On, Off       [5]hardware.RGB
	OnFor, OffFor time.Duration
}

// SetLook replaces what the behavior needs to be seen until it is activated, deactivated or leaves scope the next time
// (B-22). An empty set releases it. It acts on the eyes in the next tick (T-2). Out of scope it is a *[Misuse].
func (c *Control) SetLook(l hardware.Look) error {
	err := c.look("", l)
	if err == nil {
		c.inst.looked = true
	}
	return err
}

func (c *Control) look(label string, l hardware.Look) error {
	return c.smart(Request{Kind: ReqLook, Key: label, Body: &BodyRequest{Look: l}})
}

// SetConditionActive sets a condition of the author's own active or inactive, with its eyes: it is a subscriber of its own,
// apart from the behavior (B-23). The label tells the conditions of one behavior apart and must not be empty. What is
// still subscribed is released when the behavior leaves scope.
func (c *Control) SetConditionActive(label string, w condition.Condition, active bool) error {
	return c.setActive("own/"+label, w, active)
}

// setActive is an edge of one condition: its hook, then what it needs to be seen.
func (c *Control) setActive(label string, w condition.Condition, active bool) error {
	w.SetActive(c.inv.View, active)
	look := condition.Looks(w)
	if look.Empty() {
		return nil
	}
	if !active {
		look = hardware.Look{}
	}
	return c.look(label, look)
}

// smart makes one request and returns what was wrong with it, if anything.
func (c *Control) smart(r Request) error {
	done := c.do(r)
	switch {
	case done.Misuse != nil:
		return done.Misuse
	case done.Refusal != nil:
		return done.Refusal
	}
	return nil
}

// SmartSetMotionProfile gives every action that starts meanwhile other default speeds, until it is cleared or the behavior is
// deactivated. Of several behaviors the newest one's holds. A second call is a *[Misuse], and replaces the first.
func (c *Control) SmartSetMotionProfile(p actions.Profile) error {
	return c.smart(Request{Kind: ReqSetProfile, Body: &BodyRequest{Profile: p}})
}

// SmartClearMotionProfile ends it early. Without a profile it is a *[Misuse].
func (c *Control) SmartClearMotionProfile() error { return c.smart(Request{Kind: ReqClearProfile}) }

// SmartSetCustomLights shows a pattern on one of [hardware.LightObjects] until it is removed or the behavior is deactivated;
// animations leave the back lights alone meanwhile. A second pattern for the same object is a *[Misuse] and changes nothing.
func (c *Control) SmartSetCustomLights(object string, p LightPattern) error {
	return c.smart(Request{Kind: ReqSetLights, Key: object, Body: &BodyRequest{Lights: p}})
}

// SmartRemoveCustomLights ends it early. For an object without a pattern it is a *[Misuse].
func (c *Control) SmartRemoveCustomLights(object string) error {
	return c.smart(Request{Kind: ReqRemoveLights, Key: object})
}

// SmartDisableEngineResponseToTriggerWord makes the robot ignore the trigger word until it is enabled again or the behavior is
// deactivated (T-20). It may be called twice.
func (c *Control) SmartDisableEngineResponseToTriggerWord() error {
	return c.smart(Request{Kind: ReqDeaf})
}

// SmartEnableEngineResponseToTriggerWord ends it early. It may be called twice; others may still have it disabled.
func (c *Control) SmartEnableEngineResponseToTriggerWord() error {
	return c.smart(Request{Kind: ReqHear})
}

// SmartPushResponseToTriggerWord puts a response on top of the stack of responses: it is what the robot does at once when the
// trigger word comes. It is popped when the behavior is deactivated or leaves scope. A second one of the same behavior is a
// *[Misuse] and takes the place of the first, on top.
func (c *Control) SmartPushResponseToTriggerWord(r condition.Response) error {
	return c.smart(Request{Kind: ReqPushResponse, Body: &BodyRequest{Response: r}})
}

// SmartPushEmptyResponseToTriggerWord pushes a response that shows nothing and opens no stream.
func (c *Control) SmartPushEmptyResponseToTriggerWord() error {
	return c.SmartPushResponseToTriggerWord(condition.Response{MinStreaming: -1, Effect: condition.StreamingDisabled})
}

// SmartPopResponseToTriggerWord pops the behavior's response early, wherever it is on the stack.
func (c *Control) SmartPopResponseToTriggerWord() error {
	return c.smart(Request{Kind: ReqPopResponse})
}

// SmartAlterStreamStateForCurrentResponse pushes a copy of the topmost response with another effect. If the behavior pushed one
// before, that is popped first, and it is a *[Misuse]; so is having nothing to alter.
func (c *Control) SmartAlterStreamStateForCurrentResponse(e condition.StreamEffect) error {
	return c.smart(Request{Kind: ReqAlterResponse, Body: &BodyRequest{Response: condition.Response{Effect: e}}})
}

// SmartRequestPowerSaveMode asks for power saving until it is removed or the behavior is deactivated: dim face, dark lights. It
// is not entered within 10 s of the last change. A second request is a *[Misuse] and made anew.
func (c *Control) SmartRequestPowerSaveMode() error { return c.smart(Request{Kind: ReqSavePower}) }

// SmartRemovePowerSaveRequest ends it early; the last one ends power saving at once. Without a request it is a *[Misuse].
func (c *Control) SmartRemovePowerSaveRequest() error { return c.smart(Request{Kind: ReqSpendPower}) }

// SmartDisableKeepFaceAlive keeps the eyes from blinking by themselves until it is enabled again or the behavior is
// deactivated. Twice is a *[Misuse] and changes nothing.
func (c *Control) SmartDisableKeepFaceAlive() error { return c.smart(Request{Kind: ReqLockFace}) }

// SmartReEnableKeepFaceAlive ends it early. Without a lock it is a *[Misuse] and changes nothing.
func (c *Control) SmartReEnableKeepFaceAlive() error { return c.smart(Request{Kind: ReqUnlockFace}) }

// PlayEmergencyGetOut plays an animation now and cancels the current action, whosever it is. It is no delegation: it plays on
// when the behavior ends, which may call it in its OnDeactivated too. An action delegated meanwhile waits for its end. It is
// not played while the trigger word is being answered: a *[Misuse].
func (c *Control) PlayEmergencyGetOut(animation actions.Action) error {
	return c.smart(Request{Kind: ReqGetOut, Action: animation, Label: actions.Describe(animation)})
}
