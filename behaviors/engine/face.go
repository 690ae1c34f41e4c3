package engine

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// face keeps the eyes from blinking by themselves while any behavior holds a lock (B-12.17).
type face struct {
	core   *core
	claims claims[struct{}]
}

func (f *face) lock(c *Cell, r *behaviors.Request) {
	if f.claims.has(c) {
		f.core.refuse(c, r, stack.AlreadySet)
		return
	}
	f.claims.put(c, struct{}{})
	f.tell()
}

func (f *face) unlock(c *Cell) bool {
	was := f.claims.drop(c)
	if was {
		f.tell()
	}
	return was
}

// tell commands the display when the first lock is taken and when the last one is gone.
func (f *face) tell() {
	locked := len(f.claims) > 0
	if locked == f.core.view.Services.FaceLocked {
		return
	}
	f.core.change(func(v *condition.View) { v.Services.FaceLocked = locked })
	f.core.send(hardware.KeepFaceAlive{On: !locked})
}
