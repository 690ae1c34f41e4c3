package engine

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// Times of the connection, in robot time (B-24).
const (
	cubeStandby    = 15 * time.Second // stays interactable after the last one who played left
	cubeBackground = 15 * time.Second // stays connected after the last one left at all
)

// cube coordinates the subscribers of the connection to the cube. It only says which connection is wanted: the driver of the radio
// connects, and reports that as a detection.
//
//	            first subscriber           connected
//	idle ──────────────────────► connecting ─────────► background ⇄ interactable
//	 ▲                                                    │              │
//	 └──────── no user for 15 s ──────────────────────────┘              │
//	                                background ◄── no player for 15 s ───┘
type cube struct {
	core      *core
	mode      condition.CubeState
	users     []cubeUser
	connected bool
	used      time.Time // last instant at which a subscriber kept the present mode
}

// A cubeUser is one subscription.
type cubeUser struct {
	by         *Cell
	background bool
}

// subscribe is B-24 at activation. Lazily optional ones join a connection that is there, and what was done is remembered by
// the subscription itself: the release undoes exactly that.
func (q *cube) subscribe(c *Cell, r *behaviors.Request) {
	want := r.Args.(behaviors.CubeSubscription)
	lazy := want.Requirement == behaviors.CubeOptionalLazy && !q.core.view.World.Body.CubeConnected
	if want.Requirement == behaviors.CubeNone || lazy || !c.Node.Activated() {
		return
	}
	q.unsubscribe(c)
	q.users = append(q.users, cubeUser{by: c, background: want.Background})
}

// unsubscribe is B-24 at deactivation. A subscription that ended with a lost connection has nothing to undo.
func (q *cube) unsubscribe(c *Cell) {
	q.users = slices.DeleteFunc(q.users, func(u cubeUser) bool { return u.by == c })
}

// plays reports whether a subscriber wants to play, and not only to listen.
func (q *cube) plays() bool {
	return slices.ContainsFunc(q.users, func(u cubeUser) bool { return !u.background })
}

// step follows the facts and the time of a tick.
func (q *cube) step() {
	now, connected := q.core.view.Now, q.core.view.World.Body.CubeConnected
	lost := q.connected && !connected && q.mode > condition.CubeConnecting
	q.connected = connected
	if lost {
		q.mode, q.users = condition.CubeIdle, nil
		q.core.raise(behaviors.CubeLost{})
		return
	}
	switch q.mode {
	case condition.CubeIdle, condition.CubeConnecting:
		switch {
		case len(q.users) == 0:
			q.mode = condition.CubeIdle
		case !connected:
			q.mode = condition.CubeConnecting
		default:
			q.mode, q.used = condition.CubeBackground, now
			if q.plays() {
				q.mode = condition.CubeInteractable
			}
		}
	case condition.CubeBackground:
		switch {
		case q.plays():
			q.mode, q.used = condition.CubeInteractable, now
		case len(q.users) > 0:
			q.used = now
		case now.Sub(q.used) >= cubeBackground:
			q.mode = condition.CubeIdle
		}
	case condition.CubeInteractable:
		switch {
		case q.plays():
			q.used = now
		case now.Sub(q.used) >= cubeStandby:
			q.mode, q.used = condition.CubeBackground, now
		}
	}
}

// ensured reports whether an active ancestor of the behavior that is asked now keeps the cube connected: the one that asks, or
// one below it.
func (e *Engine) ensured() bool {
	if len(e.askers) == 0 {
		return false
	}
	asker := e.stack.Index(e.askers[0].Node)
	for i := range e.stack.Layers() {
		if i > asker {
			break
		}
		if c := e.cells[e.stack.Layers()[i].Node().ID]; c.Inc != nil && c.Inc.Inst.Modifiers().EnsuresCube {
			return true
		}
	}
	return false
}

// CubeUsers lists the behaviors that hold a subscription of the cube, in the order of subscription.
func (e *Engine) CubeUsers() []string {
	ids := make([]string, len(e.cube.users))
	for i, u := range e.cube.users {
		ids[i] = u.by.Node.ID
	}
	return ids
}
