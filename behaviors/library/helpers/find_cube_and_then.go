package helpers

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A FindCubeAndThen looks for a cube, connects to it, and gives control to the behavior that deals with it. Without a cube it ends; without a
// connection it goes on.
type FindCubeAndThen struct{ params thenParams }

type thenParams struct {
	Then string `key:"followUpBehaviorID" delegate:"true" default:"" why:"it may look for the sake of looking" doc:"what runs when a cube is found"`
	Bare bool   `key:"skipConnectToCubeBehavior" default:"false" why:"most play needs the cube's lights" doc:"do not connect to the cube"`
}

const (
	idFindCube = "FindCube"
	idConnect  = "ConnectToCube"
)

// FindCubeAndThenClass is the class FindCubeAndThen.
func FindCubeAndThenClass() behaviors.Class {
	return behaviors.Class{
		Name: "FindCubeAndThen",
		Doc:  "Looks for a cube, then gives control to the behavior that deals with it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &FindCubeAndThen{}
			param.ReadConfig(cfg, &f.params)
			cfg.MayDelegateTo(idFindCube)
			if !f.params.Bare {
				cfg.MayDelegateTo(idConnect)
			}
			return f
		},
	}
}

// OnActivated follows up at once if a cube is known, or looks for one.
func (f *FindCubeAndThen) OnActivated(c *behaviors.Control) {
	if nearest(c, anyCube) != 0 {
		f.connect(c)
		return
	}
	c.SetState("looking for a cube")
	if c.Wants(idFindCube) {
		c.DelegateTo(idFindCube, func(c *behaviors.Control, _ behaviors.Outcome) {
			if nearest(c, anyCube) != 0 {
				f.connect(c)
				return
			}
			c.SetState("no cube found")
		})
	}
}

// connect connects, if it shall, and follows up.
func (f *FindCubeAndThen) connect(c *behaviors.Control) {
	if !f.params.Bare && c.Wants(idConnect) {
		c.SetState("connecting to the cube")
		c.DelegateTo(idConnect, func(c *behaviors.Control, _ behaviors.Outcome) { f.follow(c) })
		return
	}
	f.follow(c)
}

func (f *FindCubeAndThen) follow(c *behaviors.Control) {
	if f.params.Then != "" && c.Wants(f.params.Then) {
		c.SetState("following up")
		c.DelegateTo(f.params.Then, nil)
	}
}
