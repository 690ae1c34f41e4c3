// Package behaviors is what authors of behaviors import. A behavior is a Go type with any of the small hook interfaces of
// this package, registered as a [Class]; a JSON file names the class and carries the parameters, and makes an instance. The
// example of the package is a whole behavior.
//
// What happens outside the stack comes as an [Event] with a typed payload. In Init a behavior says what it wants to hear of:
//
//	func (n *Nod) Init(c *behaviors.Control) {
//		behaviors.On(c, func(c *behaviors.Control, e behaviors.Touched) { n.stroked = e.On })
//	}
//
// Its place in the tick: the engine calls an [Instance], which wraps the author's hooks with what every behavior needs:
// gates before activation, conditions, delegation callbacks, auto-cancel, and what it holds, which is given back by itself.
// All hooks of all behaviors run one at a time; a hook speaks to the rest of the robot only through its [Control].
//
// Authors need behavior.go (hooks, events, outcomes), control.go and facilities.go (what a hook may ask for), class.go and waits.go
// (classes and their parameters), and modifiers.go. The rest is for package engine and package catalog: protocol.go, instance.go, and
// keys.go, which reads the JSON keys that every behavior has.
package behaviors
