package engine

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
)

// profile is the motion profile, one value for the robot: that of the newest holder.
type profile struct {
	core   *core
	claims claims[actions.Profile]
}

func (p *profile) set(c *Cell, r *behaviors.Request) {
	if p.claims.put(c, r.Args.(actions.Profile)) {
		p.core.applied(c, r, stack.AlreadySet)
	}
	p.apply()
}

func (p *profile) drop(c *Cell) bool {
	was := p.claims.drop(c)
	if was {
		p.apply()
	}
	return was
}

func (p *profile) apply() {
	top, _ := p.claims.top()
	p.core.actions.SetProfile(top)
}
