package engine

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// getInLimit is how long the answer to the trigger word is expected at most (data/4.5d).
const getInLimit = 3 * time.Second

// getIn is the animation that answers the trigger word by itself.
type getIn struct {
	tag   actions.Tag // 0 = none
	until time.Time
}

// responses are the immediate answers to the trigger word: the stack of responses, and the behaviors that disable the word.
type responses struct {
	core   *core
	claims claims[*condition.Response]
	deaf   claims[struct{}]
	getIn  getIn
}

// triggerWord takes the trigger word: it is ignored while a behavior disabled the response, unless it ends a mute (T-20), else pending, with the
// topmost response.
func (e *Engine) triggerWord(endsMute bool) string {
	if by := e.view.Services.Deaf; by != "" && !endsMute {
		return "ignored: " + by + " disabled the response to the trigger word"
	}
	e.intents.wake(endsMute)
	e.responses.answer(&e.choices, chance(e.seed, e.view.Tick, answerUse).Float64())
	if r := e.view.Services.Response; r != nil && r.Effect == condition.StreamingEnabled {
		e.openStream("")
	}
	return "trigger word is pending"
}

// answerUse keeps the chance of an answer apart from other uses of the same seed.
const answerUse = 0x616e73776572

// answer starts the get-in of the topmost response beside whatever runs. roll decides which clip its trigger stands for.
func (s *responses) answer(from *choices, roll float64) {
	k, r := s.core, s.core.view.Services.Response
	if r == nil || r.Silent() || k.catalog.Answer == nil || k.halted || s.getIn.tag != 0 {
		return
	}
	now := *r
	if now.GetIn != "" {
		now.GetIn = from.clip(r.GetIn, roll)
	}
	tag, err := k.actions.Queue(k.catalog.Answer(now), actions.QueueOptions{Position: actions.PositionInParallel})
	if err != nil {
		return // the list is full: the word is pending all the same
	}
	s.getIn = getIn{tag: tag, until: k.view.Now.Add(getInLimit)}
	k.change(func(v *condition.View) { v.Services.GetIn = true })
}

// ended is called at the end of each action: that of the get-in ends the answer.
func (s *responses) ended(tag actions.Tag) {
	if s.getIn.tag == 0 || tag != s.getIn.tag {
		return
	}
	s.getIn.tag = 0
	s.core.change(func(v *condition.View) { v.Services.GetIn = false })
}

// expire stops waiting for an answer that takes too long. It may play on.
func (s *responses) expire() {
	if s.getIn.tag != 0 && !s.core.view.Now.Before(s.getIn.until) {
		s.ended(s.getIn.tag)
	}
}

// push puts a response on top.
func (s *responses) push(c *Cell, r *behaviors.Request) {
	s.put(c, r, r.Args.(condition.Response), s.claims.has(c))
}

// alter pushes a copy of the topmost response with another effect; what c pushed before goes first.
func (s *responses) alter(c *Cell, r *behaviors.Request) {
	had := s.claims.drop(c)
	top, ok := s.claims.top()
	if !ok {
		s.tell()
		s.core.refuse(c, r, stack.NothingToAlter)
		return
	}
	response := *top
	response.Effect = r.Args.(condition.StreamEffect)
	s.put(c, r, response, had)
}

func (s *responses) put(c *Cell, r *behaviors.Request, response condition.Response, had bool) {
	s.claims.put(c, &response)
	s.tell()
	if had {
		s.core.applied(c, r, stack.AlreadySet)
	}
}

// pop removes the response of a behavior, wherever it is in the stack. Only the topmost one is in force.
func (s *responses) pop(c *Cell) bool {
	was := s.claims.drop(c)
	if was {
		s.tell()
	}
	return was
}

// tell publishes the topmost response in the view.
func (s *responses) tell() {
	if top, _ := s.claims.top(); top != s.core.view.Services.Response {
		s.core.change(func(v *condition.View) { v.Services.Response = top })
	}
}

// ignore disables the trigger word for a behavior, heed ends that.
func (s *responses) ignore(c *Cell) {
	s.deaf.put(c, struct{}{})
	s.tellHearing()
}

func (s *responses) heed(c *Cell) {
	s.deaf.drop(c)
	s.tellHearing()
}

// tellHearing names the newest holder of a lock on the trigger word in the view.
func (s *responses) tellHearing() {
	by := ""
	if held := s.deaf; len(held) > 0 {
		by = held[len(held)-1].by.Node.ID
	}
	if by != s.core.view.Services.Deaf {
		s.core.change(func(v *condition.View) { v.Services.Deaf = by })
	}
}

// Responders lists the behaviors that pushed a response to the trigger word, the topmost last.
func (e *Engine) Responders() []string { return e.responses.claims.holders() }
