package behaviors

import (
	"math/rand/v2"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A Control is a behavior's only way to the rest of the robot. It is valid during the hook that it was handed to; a request
// made later, or by an incarnation that was given up, is refused as stale. Other goroutines must not use it, nor functions that C code calls
// back. A request takes back what the hook did with runtime.LockOSThread: a coroutine (iter.Pull) that was made while locked must not be
// used after it.
//
// Every request answers in one way. What a behavior can decide on is answered by a bool: whether it was done. What was not done has a
// *[stack.Refusal] with its reason, which is recorded, counted and shown; [Control.Refusal] has the one of the newest request. A
// refused delegation needs no handling of its own: nothing was delegated, and a behavior that always delegates ends with its Update.
type Control struct {
	inst *Instance
	port Port
	inv  *Invocation // of the hook that runs; what the hook changes is recorded in it
	rng  *rand.Rand
	req  *Request // made at the first request: most behaviors wait in scope and have none
	// late is the newest request that other hooks made through this Control while its own hook waited for the answer to req. It is refused as
	// stale, and must leave what waits as it is.
	late  *Request
	waits bool
}

// Refusal is why the newest request of this Control was refused, or had its effect although it is probably a mistake; nil if neither.
func (c *Control) Refusal() *stack.Refusal {
	switch {
	case c.late != nil:
		return c.late.Refusal
	case c.req == nil:
		return nil
	}
	return c.req.Refusal
}

// ID is the behavior's ID.
func (c *Control) ID() string { return c.inst.ID }

// Now is the instant of the tick, the same for every behavior.
func (c *Control) Now() time.Time { return c.inv.View.Now }

// Tick is the number of the tick.
func (c *Control) Tick() uint64 { return c.inv.View.Tick }

// World is everything that is known of body and surroundings in this tick. A hook must not modify it, nor keep it after it returned.
func (c *Control) World() *hardware.World { return c.inv.View.World }

// View is the read-only view that conditions get. A hook must not keep it after it returned.
func (c *Control) View() *condition.View { return c.inv.View }

// Events lists the events of this tick that the behavior subscribes to.
func (c *Control) Events() []Event { return c.inv.Events }

// Rand is a random source that depends on the robot's seed, the behavior, the tick and which of its hooks in that tick runs, and on
// nothing that other behaviors do. All answers of a tick to WantsToBeActivated draw from the same one.
func (c *Control) Rand() *rand.Rand {
	if c.rng == nil {
		c.rng = rand.New(rand.NewPCG(mix(c.inv.Seed, c.inst.ID, c.inv.View.Tick, c.inv.Serial), 0x9e3779b97f4a7c15))
	}
	return c.rng
}

// mix derives the seed of one invocation by FNV-1a over its parts: the same in every process and on every machine.
func mix(seed uint64, id string, tick, serial uint64) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	for _, w := range [3]uint64{seed, tick, serial} {
		for range 8 {
			h = (h ^ (w & 0xff)) * prime
			w >>= 8
		}
	}
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * prime
	}
	return h
}

// Between draws a duration uniformly from [lo, hi].
func (c *Control) Between(lo, hi time.Duration) time.Duration {
	if hi <= lo {
		return lo
	}
	return lo + time.Duration(c.Rand().Int64N(int64(hi-lo)+1))
}

// Activated reports whether the behavior is on the stack.
func (c *Control) Activated() bool { return c.inv.Facts.Activated }

// IsControlDelegated reports whether the behavior has delegated control, to a behavior or an action.
func (c *Control) IsControlDelegated() bool { return c.inv.Facts.Delegated }

// InControl reports whether the behavior may delegate now.
func (c *Control) InControl() bool { return c.inv.Facts.InControl }

// TimesStarted is the number of activations since the start, or since it was reset; that of now included (B-13).
func (c *Control) TimesStarted() uint64 { return c.inv.Facts.Started }

// ResetTimesStarted sets TimesStarted to 0. Counters of the engine and metrics go on.
func (c *Control) ResetTimesStarted() { c.do(Request{Kind: ReqResetStarted}) }

// Stopping reports whether the behavior was told to end with its present delegate. It is refused any other until then, so a
// dispatcher that would take control back only to give it to another behavior waits instead.
func (c *Control) Stopping() bool { return c.inv.Facts.Stopping }

// Delegate is the ID of the behavior that control is delegated to; empty if none, or if it is an action.
func (c *Control) Delegate() string { return c.inv.Facts.Delegate }

// ActivatedFor is the time since the behavior's activation.
func (c *Control) ActivatedFor() time.Duration { return c.inv.View.Now.Sub(c.inst.activatedAt) }

// Wants asks another behavior in scope whether it wants to be activated. It must be asked in the tick in which control is
// delegated to it.
func (c *Control) Wants(id string) bool { return c.do(Request{Kind: ReqAsk, ID: id}).OK }

// WantsWith is Wants with data for the behavior to work on; see WanterWith. A refusal says that the behavior was not asked at all,
// for example because its class takes no data (stack.Unsupported). The data must not be changed afterwards; nil is a plain question.
func (c *Control) WantsWith(id string, data any) bool {
	return c.do(Request{Kind: ReqAsk, ID: id, Data: data}).OK
}

// MayDelegateTo lists the behaviors that control may be delegated to during this activation, by ID; nil unless activated. Not to
// be modified.
func (c *Control) MayDelegateTo() []string { return c.do(Request{Kind: ReqDelegates}).List }

// DelegateTo gives control to a behavior that was asked this tick and said yes. Its activation runs inside this call. A
// refusal changes nothing and arms no callback. A callback of an earlier delegate that has not run yet gives way to then;
// without one it stays, and runs, with the outcome that it was for, when the new delegate has ended (B-16).
func (c *Control) DelegateTo(id string, then Callback) bool {
	r := c.do(Request{Kind: ReqDelegate, ID: id})
	if !r.OK {
		return false
	}
	if i := c.inst; then == nil && i.callback != nil {
		i.hold(c.inv.Done)
		c.inv.Done = r.Done
		return true
	}
	c.arm(then, r.Done)
	return true
}

// DelegateToHelper gives control to a helper that was asked this tick and said yes. Exactly one of the callbacks is called, in the
// next Update after the helper ended: onSuccess if it declared success, onFailure in every other case, its crash included. None is
// called if control is taken back. A behavior that is no helper is refused. Either callback may be nil.
func (c *Control) DelegateToHelper(id string, onSuccess, onFailure Callback) bool {
	r := c.do(Request{Kind: ReqDelegateToHelper, ID: id})
	if !r.OK {
		return false
	}
	c.arm(func(c *Control, o Outcome) {
		then := onFailure
		switch {
		case o.Ended == EndedCancelled:
			return
		case o.Succeeded():
			then = onSuccess
		}
		if then != nil {
			then(c, o)
		}
	}, r.Done)
	return true
}

// arm stores the callback of a delegate that was just accepted, and forgets how the one before it ended: the next callback
// may be due in this very Update (C-9).
func (c *Control) arm(then Callback, o *Outcome) {
	c.inst.forget()
	c.inst.callback, c.inv.Done = then, o
}

// CancelAndDelegateTo takes control back from the present delegate, without callback, and then delegates (DelegateNow, B-17).
func (c *Control) CancelAndDelegateTo(id string, then Callback) bool {
	c.CancelDelegates()
	return c.DelegateTo(id, then)
}

// CancelAndDelegateIfWanted takes control back from the present delegate, without callback, then asks the other behavior and delegates
// to it if it wants to be activated. Control was taken back even if the answer is false.
func (c *Control) CancelAndDelegateIfWanted(id string, then Callback) bool {
	c.CancelDelegates()
	return c.Wants(id) && c.DelegateTo(id, then)
}

// Act gives control to an action, which starts in this tick's action phase. On a refusal the action is dropped.
func (c *Control) Act(a actions.Action, then Callback) bool { return c.ActRetrying(a, 0, then) }

// ActRetrying is Act with a number of retries for results that are worth one.
func (c *Control) ActRetrying(a actions.Action, retries int, then Callback) bool {
	// Its getters are the author's code: they run here, in the hook, and not where the request is answered.
	if !c.do(Request{Kind: ReqAct, Action: a, Label: actions.Describe(a), Retries: retries}).OK {
		return false
	}
	c.arm(then, nil)
	return true
}

// CancelAndAct takes control back from the present delegate, without callback, and then acts.
func (c *Control) CancelAndAct(a actions.Action, then Callback) bool {
	c.CancelDelegates()
	return c.Act(a, then)
}

// CancelDelegates takes control back and drops the callback, also one that is due although nothing is delegated any more. It
// reports whether control was delegated.
func (c *Control) CancelDelegates() bool {
	if !c.inv.Facts.Delegated && c.inst.callback == nil {
		return false
	}
	r := c.do(Request{Kind: ReqCancelDelegates})
	if r.Refusal == nil { // a refused request of a stale Control must not drop the callback either
		c.inst.forget()
	}
	return r.OK
}

// CancelDelegatesWithCallback takes control back; the callback comes in the next Update, with EndedCancelled.
func (c *Control) CancelDelegatesWithCallback() bool {
	if !c.inv.Facts.Delegated || !c.do(Request{Kind: ReqCancelDelegates}).OK {
		return false
	}
	c.inst.cancelled = true
	return true
}

// CancelSelf ends the behavior: OnDeactivated runs inside this call, and the caller should return. No callback follows.
func (c *Control) CancelSelf() bool { return c.do(Request{Kind: ReqCancelSelf}).OK }

// Succeed declares that a helper did its whole task, and ends it like CancelSelf: the caller should return.
func (c *Control) Succeed() bool {
	return c.do(Request{Kind: ReqSucceed}).OK && c.CancelSelf()
}

// CanInterruptGently reports whether the present delegate may be interrupted politely; true without a delegate (B-27).
func (c *Control) CanInterruptGently() bool {
	return !c.inv.Facts.Delegated || c.do(Request{Kind: ReqGentle}).OK
}

// StopAfterCurrentDelegate makes another activated behavior end when its present delegate ends: it is refused further
// delegation until then. False means that the other behavior is not activated.
func (c *Control) StopAfterCurrentDelegate(id string) bool {
	return c.do(Request{Kind: ReqStopAfterDelegate, ID: id}).OK
}

// ResetTimer stamps a named timer with now.
func (c *Control) ResetTimer(name string) { c.do(Request{Kind: ReqResetTimer, Key: name}) }

// Suggest offers a post-behavior suggestion.
func (c *Control) Suggest(name string) { c.do(Request{Kind: ReqSuggest, Key: name}) }

// ClearSuggestions forgets every post-behavior suggestion. A behavior that acts on one takes them all.
func (c *Control) ClearSuggestions() { c.do(Request{Kind: ReqClearSuggestions}) }

// ChooseClip answers which clip an animation trigger stands for now: one of its group, by weight among those that mood, head and cooldown
// allow. It begins the cooldown of that clip. The name of a clip that is no trigger stands for itself. Empty means that there is no such
// trigger, or that a question is being answered, which must change nothing. Each call draws one number from [Control.Rand].
func (c *Control) ChooseClip(trigger string) string {
	return c.do(Request{Kind: ReqChooseClip, Key: trigger, Args: c.Rand().Float64()}).Clip
}

// SetState publishes the name of the phase that the behavior is in (DEBUG_SET_STATE). It survives deactivation.
func (c *Control) SetState(name string) {
	if c.inst.state != name && c.do(Request{Kind: ReqState, Key: name}).OK {
		c.inst.state = name
	}
}

// Forget gives up what the robot believes of its place, and every object and face that it remembers having seen. The world of the next
// tick shows it. A behavior does so only while activated.
func (c *Control) Forget() { c.do(Request{Kind: ReqForget}) }

// Send gives one device command outside an action: stopping the wheels, acknowledging a cliff, setting the lights. The behavior must be
// in control: whatever it does before it delegates. A command that moves the body is refused unless it stops something, because motion
// belongs in actions, and so is one that needs a track that another behavior or an action has locked.
func (c *Control) Send(cmd hardware.Command) { c.do(Request{Kind: ReqCommand, Args: cmd}) }

// Streamlined reports whether this instance leaves out the flourishes that its class has (alwaysStreamline).
func (c *Control) Streamlined() bool { return c.inst.life.streamlined }

// do sends one request and takes over what changed.
func (c *Control) do(r Request) *Request {
	if c.waits {
		c.late = new(Request) // and not the address of r, which would put every request on the heap
		*c.late = r
		c.port.Do(c.late)
		return c.late
	}
	if c.req == nil {
		c.req = new(Request)
	}
	*c.req = r
	c.waits = true
	c.port.Do(c.req)
	c.waits, c.late = false, nil
	c.inv.Facts, c.inv.Placed = c.req.Facts, true
	if c.req.View != nil {
		c.inv.View = c.req.View
	}
	return c.req
}
