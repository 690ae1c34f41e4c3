package engine

import (
	"cmp"
	"reflect"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A request is one row of the table below: all that there is to say of one kind of request.
type request struct {
	op     stack.Op // what it is called in a refusal
	needs  need
	starts bool // has an effect beyond the question in which it is made: refused while a question is answered (L-5)
	serve  func(e *Engine, c *Cell, r *behaviors.Request)
}

// A need says where a behavior must stand to make a request.
type need uint8

const (
	nothing    need = iota // anywhere; the stack and the handlers of delegation check for themselves
	scope                  // in activatable scope or activated
	activation             // activated: what it holds is released at its deactivation
)

// requests is the table of all requests of behaviors: Serve looks the row up, checks what it needs, and serves it. A new request is
// a constant of package behaviors, a method of Control or of one of its handles, and a row here. A handler answers by r.OK, which is
// true beforehand, by the other fields of the answer, and by a refusal.
var requests = [behaviors.Requests]request{
	// Control. The stack refuses these itself while a question is answered.
	behaviors.ReqDelegate:          {stack.OpDelegate, nothing, false, (*Engine).serveDelegate},
	behaviors.ReqDelegateToHelper:  {stack.OpDelegate, nothing, false, (*Engine).serveDelegate},
	behaviors.ReqAct:               {stack.OpAct, nothing, false, (*Engine).serveAct},
	behaviors.ReqCancelDelegates:   {stack.OpCancelDelegates, nothing, false, (*Engine).serveCancelDelegates},
	behaviors.ReqCancelSelf:        {stack.OpCancelSelf, nothing, false, (*Engine).serveCancelSelf},
	behaviors.ReqSucceed:           {stack.OpCancelSelf, nothing, false, (*Engine).serveSucceed},
	behaviors.ReqAsk:               {stack.OpAsk, nothing, false, (*Engine).serveAsk},
	behaviors.ReqAskFirst:          {stack.OpAsk, nothing, false, (*Engine).serveAskAmong},
	behaviors.ReqAskEach:           {stack.OpAsk, nothing, false, (*Engine).serveAskAmong},
	behaviors.ReqAskBest:           {stack.OpAsk, nothing, false, (*Engine).serveAskAmong},
	behaviors.ReqGentle:            {stack.OpAsk, nothing, false, (*Engine).serveGentle},
	behaviors.ReqDelegates:         {stack.OpAsk, nothing, false, (*Engine).serveDelegates},
	behaviors.ReqStopAfterDelegate: {stack.OpAct, nothing, true, (*Engine).serveStopAfterDelegate},

	// The base layer.
	behaviors.ReqModifiers:       {stack.OpAsk, nothing, true, (*Engine).serveModifiers},
	behaviors.ReqReleaseDelegate: {stack.OpCancelDelegates, nothing, true, (*Engine).serveReleaseDelegate},
	behaviors.ReqReleaseHoldings: {stack.OpCancelSelf, nothing, true, (*Engine).serveReleaseHoldings},
	behaviors.ReqSubscribeCube:   {stack.OpCube, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.cube.subscribe(c, r) }},

	// What a behavior holds until it is deactivated.
	behaviors.ReqLockTracks:    {stack.OpTracks, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.locks.lock(c, r) }},
	behaviors.ReqUnlockTracks:  {stack.OpTracks, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.locks.unlock(c, r.Key)) }},
	behaviors.ReqSuppress:      {stack.OpSuppress, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.hold(c, r) }},
	behaviors.ReqUnsuppress:    {stack.OpSuppress, nothing, true, (*Engine).serveUnsuppress},
	behaviors.ReqSetProfile:    {stack.OpProfile, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.profile.set(c, r) }},
	behaviors.ReqClearProfile:  {stack.OpProfile, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.profile.drop(c)) }},
	behaviors.ReqShowLights:    {stack.OpLights, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.lights.show(c, r) }},
	behaviors.ReqRemoveLights:  {stack.OpLights, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.lights.remove(c, r.Key)) }},
	behaviors.ReqSavePower:     {stack.OpPower, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.power.request(c, r) }},
	behaviors.ReqSpendPower:    {stack.OpPower, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.power.drop(c)) }},
	behaviors.ReqKeepFaceStill: {stack.OpFace, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.face.lock(c, r) }},
	behaviors.ReqKeepFaceAlive: {stack.OpFace, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.face.unlock(c)) }},
	behaviors.ReqHoldFace:      {stack.OpFace, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.face.hold(c, r) }},
	behaviors.ReqReleaseFace:   {stack.OpFace, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.face.held.drop(c)) }},
	behaviors.ReqSetFeature:    {stack.OpFeature, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.feature.set(c, r) }},
	behaviors.ReqLook:          {stack.OpVision, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.looks.request(c, r) }},
	behaviors.ReqGetOut:        {stack.OpGetOut, nothing, true, (*Engine).playGetOut},

	// Intents, trigger word, mood.
	behaviors.ReqClaimIntent:       {stack.OpIntent, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.intents.claim(c, r) }},
	behaviors.ReqReleaseIntent:     {stack.OpIntent, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.intents.release(c, r) }},
	behaviors.ReqIntentTimeout:     {stack.OpIntent, nothing, true, (*Engine).serveIntentTimeout},
	behaviors.ReqClearTriggerWord:  {stack.OpTriggerWord, activation, true, func(e *Engine, _ *Cell, r *behaviors.Request) { r.OK = e.intents.clearTrigger() }},
	behaviors.ReqIgnoreTriggerWord: {stack.OpHearing, activation, true, func(e *Engine, c *Cell, _ *behaviors.Request) { e.responses.ignore(c) }},
	behaviors.ReqHeedTriggerWord:   {stack.OpHearing, nothing, true, func(e *Engine, c *Cell, _ *behaviors.Request) { e.responses.heed(c) }},
	behaviors.ReqPushResponse:      {stack.OpResponse, scope, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.responses.push(c, r) }},
	behaviors.ReqAlterResponse:     {stack.OpResponse, scope, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.responses.alter(c, r) }},
	behaviors.ReqPopResponse:       {stack.OpResponse, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.responses.pop(c)) }},
	behaviors.ReqTriggerEmotion:    {stack.OpEmotion, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.mood.request(c, r) }},
	behaviors.ReqFixEmotion:        {stack.OpEmotion, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.mood.fix(c, r) }},
	behaviors.ReqUnfixEmotion:      {stack.OpEmotion, nothing, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.released(c, r, e.mood.unfix(c, r.Key)) }},

	// What stays when the behavior ends.
	behaviors.ReqSuppressThisTick: {stack.OpSuppress, nothing, true, (*Engine).serveSuppressThisTick},
	behaviors.ReqResetTimer:       {stack.OpNotes, nothing, true, func(e *Engine, _ *Cell, r *behaviors.Request) { e.stamp(r.Key) }},
	behaviors.ReqSubscribe:        {stack.OpSubscribe, nothing, true, (*Engine).serveSubscribe},
	behaviors.ReqSuggest:          {stack.OpNotes, nothing, true, func(e *Engine, _ *Cell, r *behaviors.Request) { e.suggest(r.Key) }},
	behaviors.ReqClearSuggestions: {stack.OpNotes, nothing, true, func(e *Engine, _ *Cell, _ *behaviors.Request) { e.clearSuggestions() }},
	behaviors.ReqResetStarted:     {stack.OpNotes, nothing, true, func(_ *Engine, c *Cell, _ *behaviors.Request) { c.counted = 0 }},
	behaviors.ReqState:            {stack.OpNotes, nothing, false, (*Engine).serveState},
	behaviors.ReqForget:           {stack.OpLocation, activation, true, func(e *Engine, _ *Cell, _ *behaviors.Request) { e.estimator.Forget() }},
	behaviors.ReqChooseClip:       {stack.OpNotes, nothing, true, func(e *Engine, _ *Cell, r *behaviors.Request) { e.choices.choose(r) }},
	behaviors.ReqCommand:          {stack.OpCommand, nothing, true, (*Engine).serveCommand},

	// Other behaviors, and what belongs to the robot.
	behaviors.ReqInstances:      {stack.OpAsk, nothing, false, (*Engine).serveInstances},
	behaviors.ReqActivated:      {stack.OpAsk, nothing, false, (*Engine).serveActivated},
	behaviors.ReqTell:           {stack.OpNotes, nothing, true, (*Engine).serveTell},
	behaviors.ReqTold:           {stack.OpAsk, nothing, false, (*Engine).serveTold},
	behaviors.ReqEmotionAtLeast: {stack.OpEmotion, activation, true, func(e *Engine, c *Cell, r *behaviors.Request) { e.mood.atLeast(c, r) }},
	behaviors.ReqDropIntent:     {stack.OpIntent, activation, true, func(e *Engine, _ *Cell, r *behaviors.Request) { r.OK = e.intents.dropPending(r.Key) }},
	behaviors.ReqListen:         {stack.OpTriggerWord, activation, true, func(e *Engine, _ *Cell, r *behaviors.Request) { e.openStream(r.Key) }},
	behaviors.ReqStopListening:  {stack.OpTriggerWord, nothing, true, func(e *Engine, _ *Cell, _ *behaviors.Request) { e.closeStream() }},
	behaviors.ReqSetAlarm:       {stack.OpNotes, activation, true, (*Engine).serveSetAlarm},
	behaviors.ReqTakes:          {stack.OpAsk, nothing, false, (*Engine).serveTakes},
	behaviors.ReqChooseReaction: {stack.OpNotes, activation, true, (*Engine).chosen},
	behaviors.ReqClearAlarm:     {stack.OpNotes, activation, true, (*Engine).serveClearAlarm},
}

// arguments are the types that the handlers take for granted. Control gives no other; a tape may hold anything.
var arguments = [behaviors.Requests]reflect.Type{
	behaviors.ReqLockTracks:    reflect.TypeFor[actions.Tracks](),
	behaviors.ReqClaimIntent:   reflect.TypeFor[behaviors.Feedback](),
	behaviors.ReqFixEmotion:    reflect.TypeFor[behaviors.EmotionFix](),
	behaviors.ReqLook:          reflect.TypeFor[hardware.Look](),
	behaviors.ReqSetProfile:    reflect.TypeFor[actions.Profile](),
	behaviors.ReqShowLights:    reflect.TypeFor[behaviors.LightPattern](),
	behaviors.ReqPushResponse:  reflect.TypeFor[condition.Response](),
	behaviors.ReqAlterResponse: reflect.TypeFor[condition.StreamEffect](),
	behaviors.ReqSubscribeCube: reflect.TypeFor[behaviors.CubeSubscription](),
	behaviors.ReqChooseClip:    reflect.TypeFor[float64](),

	behaviors.ReqEmotionAtLeast: reflect.TypeFor[behaviors.EmotionFix](),
	behaviors.ReqSetAlarm:       reflect.TypeFor[time.Duration](),
}

// known reports whether there is such a request, with such arguments.
func known(r *behaviors.Request) bool {
	switch r.Kind {
	case behaviors.ReqAskFirst, behaviors.ReqAskEach, behaviors.ReqAskBest, behaviors.ReqActivated:
		return r.Among != nil
	}
	return int(r.Kind) < len(requests) && (arguments[r.Kind] == nil || arguments[r.Kind] == reflect.TypeOf(r.Args))
}

// Serve answers one request of a hook of c, inside the hook; hooks that it leads to are complete when it returns. The hook runner
// guarantees that the incarnation of f is alive.
func (e *Engine) Serve(c *Cell, f *Frame, r *behaviors.Request) {
	if !known(r) { // of a tape that another program wrote
		r.OK, r.Refusal = false, &stack.Refusal{Op: stack.OpAsk, By: c.Node.ID, To: subject(r), Reason: stack.Unsupported}
		r.Facts, r.View = e.facts(c), e.view
		return
	}
	row := &requests[r.Kind]
	answers := e.answering(c)
	view, losses, overtaken := e.view, e.losses, e.stack.Overtaken()
	c.requests++
	if r.Kind == behaviors.ReqReleaseDelegate {
		c.requests = 0 // from here on the base layer cleans up, whatever the author's hooks did
	}
	r.OK, r.Refusal, r.Op = true, nil, row.op
	switch {
	case c.requests > maxRequests && r.Kind == behaviors.ReqCancelSelf && c.Node.Activated(): // it ends what asks too much
		row.serve(e, c, r)
	case c.requests == maxRequests+1: // the first one is told
		e.refuse(c, r, stack.TooDeep)
	case c.requests > maxRequests:
		r.OK, r.Refusal = false, &stack.Refusal{Op: row.op, By: c.Node.ID, To: subject(r), Reason: stack.TooDeep}
	case row.starts && e.stack.Asking():
		r.OK, r.Refusal = false, e.stack.Refuse(row.op, c.Node, nil, stack.Hidden)
	case row.needs == scope && !c.Node.InScope():
		e.refuse(c, r, stack.NotInScope)
	case row.needs == activation && !c.Node.Activated():
		e.refuse(c, r, stack.NotActivated)
	default:
		row.serve(e, c, r)
	}
	r.Facts = e.facts(c)
	r.View = e.view
	if answers && (e.view != view || e.losses != losses || e.stack.Overtaken() != overtaken) {
		f.Inv.Alone = true
	}
}

// RefuseStale answers a request that belongs to no hook in flight. The hook runner calls it, because the code that asks may run
// beside the engine: nothing but the request is touched.
func RefuseStale(c *Cell, r *behaviors.Request) {
	r.Op = requests[r.Kind].op
	r.OK, r.Refusal = false, &stack.Refusal{Op: r.Op, By: c.Node.ID, To: subject(r), Reason: stack.Stale}
	r.Facts, r.View = behaviors.Facts{}, nil
}

// subject is what a request is about, in a refusal.
func subject(r *behaviors.Request) string { return cmp.Or(r.ID, r.Key) }

// facts is what c may know of its own place now.
func (e *Engine) facts(c *Cell) behaviors.Facts {
	f := behaviors.Facts{Started: uint64(c.counted), Delegated: e.stack.IsControlDelegated(c.Node)}
	if !c.Node.Activated() {
		return f
	}
	f.Activated = true
	f.InControl = e.stack.InControl(c.Node)
	f.Stopping = c.stopAfter
	if f.Delegated {
		if d := e.stack.DelegatedTo(c.Node); d != nil {
			f.Delegate = d.ID
		}
	}
	return f
}
