package engine

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// getInLimit is how long the answer to the trigger word is expected at most (data/4.5d).
const getInLimit = 3 * time.Second

// getIn is the animation that answers the trigger word by itself.
type getIn struct {
	tag   actions.Tag // 0 = none
	until time.Time
}

// hear is the trigger word: ignored while a behavior disabled the response, unless it ends a mute (T-20), else pending, with the
// topmost response.
func (e *Engine) hear(endsMute bool) string {
	if by := e.view.Services.Deaf; by != "" && !endsMute {
		return "ignored: " + by + " disabled the response to the trigger word"
	}
	e.wake(endsMute)
	e.services.getIn.play(e)
	return "trigger word is pending"
}

// play starts the get-in of the topmost response beside whatever runs.
func (g *getIn) play(e *Engine) {
	r := e.view.Services.Response
	if r == nil || r.Silent() || e.catalog.Answer == nil || e.halted || g.tag != 0 {
		return
	}
	tag, err := e.actions.Queue(e.catalog.Answer(*r), actions.QueueOptions{Position: actions.PositionInParallel})
	if err != nil {
		return // the list is full: the word is heard all the same
	}
	g.tag, g.until = tag, e.view.Now.Add(getInLimit)
	e.change(func(v *condition.View) { v.Services.GetIn = true })
}

func (g *getIn) ended(e *Engine, tag actions.Tag) {
	if g.tag == 0 || tag != g.tag {
		return
	}
	g.tag = 0
	e.change(func(v *condition.View) { v.Services.GetIn = false })
}

// expire stops waiting for an answer that takes too long. It may play on.
func (g *getIn) expire(e *Engine) {
	if g.tag != 0 && !e.view.Now.Before(g.until) {
		g.ended(e, g.tag)
	}
}

// pushResponse puts a response on top, or a copy of the topmost one with another effect.
func (e *Engine) pushResponse(c *Cell, r *behaviors.Request) {
	if !c.Node.InScope() {
		e.misuse(c, r, behaviors.FacilityResponse, behaviors.NotInScope, false)
		return
	}
	s := &e.services.responses
	response := r.Body.Response
	had := s.has(c)
	if r.Kind == behaviors.ReqAlterResponse {
		s.drop(c)
		top, ok := s.top()
		if !ok {
			e.tellResponse()
			e.misuse(c, r, behaviors.FacilityResponse, behaviors.NothingToAlter, false)
			return
		}
		response = *top
		response.Effect = r.Body.Response.Effect
	}
	s.put(c, &response)
	e.tellResponse()
	if had {
		e.misuse(c, r, behaviors.FacilityResponse, behaviors.AlreadySet, true)
	}
}

// popResponse takes the response of a behavior away, wherever it is. Only the topmost one shows.
func (e *Engine) popResponse(c *Cell) bool {
	was := e.services.responses.drop(c)
	if was {
		e.tellResponse()
	}
	return was
}

// tellResponse puts the topmost response into the view.
func (e *Engine) tellResponse() {
	if top, _ := e.services.responses.top(); top != e.view.Services.Response {
		e.change(func(v *condition.View) { v.Services.Response = top })
	}
}

// tellHearing names the newest holder of a lock on the trigger word in the view.
func (e *Engine) tellHearing() {
	by := ""
	if held := e.services.deaf; len(held) > 0 {
		by = held[len(held)-1].by.Node.ID
	}
	if by != e.view.Services.Deaf {
		e.change(func(v *condition.View) { v.Services.Deaf = by })
	}
}

// Responders lists the behaviors that pushed a response to the trigger word, the topmost last.
func (e *Engine) Responders() []string { return e.services.responses.holders() }
