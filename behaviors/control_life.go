package behaviors

import "github.com/robotd/robotd/behaviors/condition"

// SmartActivateIntent claims the pending intent if it has the tag, and shows the feedback that the behavior's file asks for;
// the intent is released at deactivation. False means that nothing was claimed: no such intent is pending, or the behavior
// is not activated. A claim while another intent is active takes its place.
func (c *Control) SmartActivateIntent(tag string) (*condition.Intent, bool) {
	return c.claim(tag, c.inst.life.feedback)
}

// SmartActivateIntentQuietly is SmartActivateIntent without feedback.
func (c *Control) SmartActivateIntentQuietly(tag string) (*condition.Intent, bool) {
	return c.claim(tag, Feedback{})
}

func (c *Control) claim(tag string, f Feedback) (*condition.Intent, bool) {
	r := c.do(Request{Kind: ReqActivateIntent, To: tag, Light: f})
	return r.Intent, r.OK
}

// SmartDeactivateIntent releases the claimed intent early. Without one it does nothing.
func (c *Control) SmartDeactivateIntent() { c.do(Request{Kind: ReqDeactivateIntent}) }

// SetIntentTimeout suspends (false) the timeout of the pending intent until the next new one, or makes it count from now on
// (true) (T-19). Only an activated behavior may do so.
func (c *Control) SetIntentTimeout(on bool) bool {
	return c.do(Request{Kind: ReqIntentTimeout, On: on}).OK
}

// ClearTriggerWord takes the pending trigger word back, and reports whether there was one. Only an activated behavior may do
// so.
func (c *Control) ClearTriggerWord() bool { return c.do(Request{Kind: ReqClearTriggerWord}).OK }

// TriggerEmotion makes an emotion event of the mood data happen. False means that there is no such event, or that the
// behavior is not activated.
func (c *Control) TriggerEmotion(event string) bool {
	return c.do(Request{Kind: ReqTriggerEmotion, Key: event}).OK
}

// SmartFixEmotion holds an emotion at a value, within its range: it neither fades nor follows events until the key is
// released or the behavior is deactivated. Of several behaviors that fix the same emotion the latest counts. The same key
// twice is refused.
func (c *Control) SmartFixEmotion(key string, e condition.Emotion, value float64) bool {
	return c.do(Request{Kind: ReqFixEmotion, Key: key, Emotion: e, Value: value}).OK
}

// SmartUnfixEmotion releases a key early. The emotion keeps its value and fades from there.
func (c *Control) SmartUnfixEmotion(key string) bool {
	return c.do(Request{Kind: ReqUnfixEmotion, Key: key}).OK
}

// SmartSetActiveFeature sets the product feature of this activation, in OnActivated only. It is refused when a feature is set
// already, by the file or by an earlier call, and when no file declares it.
func (c *Control) SmartSetActiveFeature(feature string) bool {
	return c.inst.activating && c.do(Request{Kind: ReqSetFeature, Key: feature}).OK
}

// Streamlined reports whether this instance leaves out the flourishes that its class has (alwaysStreamline).
func (c *Control) Streamlined() bool { return c.inst.life.streamlined }
