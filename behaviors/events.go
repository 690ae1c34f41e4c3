package behaviors

import (
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// An Event is something that happened outside the stack, delivered in the next tick.
type Event struct {
	Source  string // who raised it; events are ordered by (Source, Seq), those of the engine come last
	Seq     uint64
	At      time.Time
	Payload Payload
}

// A Payload says what happened, by its type: one of RobotStopped, EdgeFelt, TriggerWordHeard, IntentPosted, Touched, Poked,
// CubeTapped, CubeLost and DeviceChanged. The set is closed, because a recording must hold each of them.
type Payload interface{ event() string }

// A RobotStopped says that a reflex of the body stopped the wheels.
type RobotStopped struct{ Cause StopCause }

// A StopCause is what a reflex answered to.
type StopCause string

// StoppedAtCliff is the cause of a stop at an edge.
const StoppedAtCliff StopCause = "cliff"

// An EdgeFelt says that a sensor has seen no floor for half a second and nobody picked the robot up meanwhile, or that it is over (CLF-5).
type EdgeFelt struct {
	On bool
	// Sensors are those without floor, in the order front left, front right, back left, back right; none when it is over.
	Sensors [4]bool
}

// A TriggerWordHeard says that the trigger word is pending.
type TriggerWordHeard struct{}

// An IntentPosted says that a user intent is pending.
type IntentPosted struct{ Tag string }

// A Touched says that a hand came to the robot's back, or left it. While the sensor does not work nothing is known of the hand.
type Touched struct{ On bool }

// A Poked says that somebody poked the robot.
type Poked struct{}

// A CubeTapped says that somebody tapped the connected cube.
type CubeTapped struct{}

// A CubeLost says that the connection to the cube was lost; all its subscriptions are gone.
type CubeLost struct{}

// A DeviceChanged says that the readings of a device have another quality: it failed or came back.
type DeviceChanged struct {
	Device  string // one of hardware.Names
	Quality hardware.Quality
}

// The names of the events, for Subscriber and for logs.
const (
	EventRobotStopped = "robot_stopped"
	EventEdge         = "edge"
	EventTriggerWord  = "trigger_word"
	EventIntent       = "user_intent"
	EventTouched      = "touched"
	EventPoked        = "poked"
	EventCubeTapped   = "cube_tapped"
	EventCubeLost     = "cube_lost"
	EventDevice       = "device"
)

func (RobotStopped) event() string     { return EventRobotStopped }
func (EdgeFelt) event() string         { return EventEdge }
func (TriggerWordHeard) event() string { return EventTriggerWord }
func (IntentPosted) event() string     { return EventIntent }
func (Touched) event() string          { return EventTouched }
func (Poked) event() string            { return EventPoked }
func (CubeTapped) event() string       { return EventCubeTapped }
func (CubeLost) event() string         { return EventCubeLost }
func (DeviceChanged) event() string    { return EventDevice }

// EventNames lists the names of all events, sorted.
func EventNames() []string {
	return []string{EventCubeLost, EventCubeTapped, EventDevice, EventEdge, EventPoked, EventRobotStopped, EventTouched, EventTriggerWord, EventIntent}
}

// edgeSensors names the sensors of an EdgeFelt.
var edgeSensors = [4]string{"front_left", "front_right", "back_left", "back_right"}

func (p EdgeFelt) text() string {
	text := map[bool]string{true: " on", false: " off"}[p.On]
	for i, felt := range p.Sensors {
		if felt {
			text += " " + edgeSensors[i]
		}
	}
	return text
}

// ParseEdge reads what an EdgeFelt says after its name: "on" or "off", and its sensors.
func ParseEdge(text string) EdgeFelt {
	var p EdgeFelt
	for word := range strings.FieldsSeq(text) {
		if i := slices.Index(edgeSensors[:], word); i >= 0 {
			p.Sensors[i] = true
		}
		p.On = p.On || word == "on"
	}
	return p
}

// Name is the event's name; empty without a payload.
func (e Event) Name() string {
	if e.Payload == nil {
		return ""
	}
	return e.Payload.event()
}

// String is the name, and what else the event says.
func (e Event) String() string {
	switch p := e.Payload.(type) {
	case RobotStopped:
		return e.Name() + " " + string(p.Cause)
	case IntentPosted:
		return e.Name() + " " + p.Tag
	case EdgeFelt:
		return e.Name() + p.text()
	case Touched:
		return e.Name() + map[bool]string{true: " on", false: " off"}[p.On]
	case DeviceChanged:
		return e.Name() + " " + p.Device + " " + p.Quality.String()
	}
	return e.Name()
}

// payloads are the types that On takes, so that a wrong one does not compile.
type payloads interface {
	RobotStopped | EdgeFelt | TriggerWordHeard | IntentPosted | Touched | Poked | CubeTapped | CubeLost | DeviceChanged
	Payload
}

// On subscribes an event and has it handled by type. It belongs into Init; anywhere else it is refused and changes nothing. The handler
// is called for each event of that type while the behavior is in scope or activated, before AlwaysHandle and the other handlers, in the
// order of the calls of On (T-12). The subscription ends with the incarnation: the Init of a fresh one subscribes anew.
func On[P payloads](c *Control, handle func(c *Control, e P)) {
	var kind P
	name := kind.event()
	if !c.do(Request{Kind: ReqSubscribe, Key: name, On: c.inv.Hook == stack.HookInit}).OK {
		return
	}
	h := c.inst.subscriptions()
	if !slices.Contains(h.names, name) {
		h.names = append(h.names, name)
	}
	h.handlers = append(h.handlers, func(c *Control, e Payload) {
		if p, ok := e.(P); ok {
			handle(c, p)
		}
	})
}
