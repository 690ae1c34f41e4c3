// Package behaviors is what authors of behaviors import. A behavior is a Go type with any of the small hook interfaces of
// this package, registered as a [Class]; a JSON file names the class and carries the parameters, and makes an instance.
//
// What happens outside the stack comes as an [Event] with a typed payload. In Init a behavior says what it wants to hear of:
//
//	func (n *Nod) Init(c *behaviors.Control) {
//		behaviors.On(c, func(c *behaviors.Control, e behaviors.Touched) { n.stroked = e.On })
//	}
//
// Its place in the tick: the engine calls an [Instance], which wraps the author's hooks with what every behavior needs:
// gates before activation, conditions, delegation callbacks, auto-cancel, and smart state that is undone by itself.
// All hooks of all behaviors run one at a time; a hook speaks to the rest of the robot only through its [Control].
//
//	type Nod struct{ angle float64 }
//
//	func (n *Nod) OnActivated(c *behaviors.Control) {
//		c.Act(motion.MoveHead(motion.HeadParams{AngleRad: n.angle}), nil)
//	}
//
//	var NodClass = behaviors.Class{
//		Name: "Nod",
//		New: func(cfg *behaviors.Config) behaviors.Behavior {
//			return &Nod{angle: cfg.FloatRange("angle_rad", -0.4, 0.8)}
//		},
//	}
package behaviors
