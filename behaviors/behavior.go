package behaviors

import "github.com/robotd/robotd/actions"

// A Behavior is an author's value. It implements any of the hook interfaces below. A hook that panics, or holds on longer
// than its budget, costs the behavior its incarnation: its layer and everything above it are popped, what it held is
// released, and a fresh instance takes its place.
type Behavior any

// Initer is called once, before anything else, after all behaviors were constructed.
type Initer interface{ Init(c *Control) }

// ScopeEnterer is called when the behavior becomes a possible delegate of an active one. Once, however many list it.
type ScopeEnterer interface{ OnEnteredScope(c *Control) }

// ScopeLeaver is called when no active behavior lists it any more.
type ScopeLeaver interface{ OnLeftScope(c *Control) }

// Wanter answers whether the behavior wants control, after all gates and conditions agreed. A true answer is no promise:
// nothing may be started here (L-5), and every request that would is refused; other behaviors may be asked. Without it a behavior
// always wants.
type Wanter interface{ WantsToBeActivated(c *Control) bool }

// WanterWith answers a question that comes with data: the asking behavior passes what this one shall work on. The data must not be
// changed afterwards by either side. As with Wanter nothing may be started here, but the data may be remembered: a behavior that
// says yes is usually activated at once. A behavior without it refuses such a question, and one that has it but no Wanter refuses
// the plain question.
type WanterWith interface {
	WantsToBeActivatedWith(c *Control, data any) bool
}

// Activator is called when the behavior was given control. Its first delegation belongs here.
type Activator interface{ OnActivated(c *Control) }

// Resumer is called in place of OnActivated when the behavior gets control back after a resumable interrupt: the same delegator
// took control away for a behavior whose modifiers say ResumableInterrupt, and nothing else ran in between. Without it
// OnActivated is called. Such an activation does not count as a start.
type Resumer interface{ OnResumed(c *Control) }

// A Helper does a whole task, with as many actions and delegates as it takes, and only fully succeeds or completely fails. It
// says Control.Succeed when the task is done; if it ends in any other way, it has failed.
type Helper interface{ HelpsWithTask() }

// Deactivator is called when the behavior lost control, while its action still runs and it still has all that it holds.
// It is not called when the behavior delegates.
type Deactivator interface{ OnDeactivated(c *Control) }

// Updater is called once per tick while in scope or activated; ask c.Activated. A class that has nothing to do in scope is an
// ActivatedUpdater instead.
type Updater interface{ Update(c *Control) }

// ActivatedUpdater is called once per tick while activated, after Update if the class has that, too. In scope it is not called, which costs
// nothing: most behaviors in scope wait.
type ActivatedUpdater interface{ UpdateWhileActivated(c *Control) }

// Modifier computes the operation modifiers in code; what it assigns wins over JSON (B-5). It runs after every Init, and
// may read those of other behaviors through of.
type Modifier interface {
	Modify(m *Modifiers, of func(id string) Modifiers)
}

// Subscriber names the events that the behavior wants to see while in scope or activated, by their names (see EventNames). A name that
// no event has is reported when the file of the behavior is loaded. On subscribes by type, in Init.
type Subscriber interface{ Subscriptions() []string }

// AlwaysHandler is given each subscribed event first, after the handlers that On set up (T-12).
type AlwaysHandler interface{ AlwaysHandle(c *Control, e Event) }

// ActivatedHandler is given each subscribed event while activated.
type ActivatedHandler interface{ HandleWhileActivated(c *Control, e Event) }

// InScopeHandler is given each subscribed event while in scope but not activated.
type InScopeHandler interface{ HandleWhileInScope(c *Control, e Event) }

// GentlyInterruptible marks a class that a dispatcher may take control away from politely, at any moment at which it has no
// delegate or its delegate agrees in turn. Without it: no (B-27).
type GentlyInterruptible interface{ GentlyInterruptible() }

// Linker names behaviors that share scope with this one, so that it can ask them (L-20).
type Linker interface{ Links() []string }

// A Callback runs in the delegator's next Update after its delegate ended (C-7, C-8). It may delegate again.
type Callback func(c *Control, o Outcome)

// An Outcome says how a delegate ended.
type Outcome struct {
	Ended Ended
	// Completion is the record of the action; zero for a behavior.
	Completion actions.Completion
	// Success is whether the helper succeeded; false for anything else.
	Success bool
}

// Ended is the way in which a delegate ended. The zero value is not a success.
type Ended uint8

// The ways.
const (
	EndedUnknown   Ended = iota // the delegate failed
	EndedBehavior               // the behavior cancelled itself
	EndedAction                 // the action completed; see Completion.Result
	EndedCancelled              // cancelled by CancelDelegatesWithCallback
	EndedHelper                 // the helper ended; see Success
)

// Succeeded reports whether the delegate was an action or a helper that succeeded.
func (o Outcome) Succeeded() bool {
	return o.Ended == EndedHelper && o.Success || o.Ended == EndedAction && o.Completion.Result.Category() == actions.CategorySuccess
}
