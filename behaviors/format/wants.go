package format

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// Wants is when a stand-in wants control, after its gates agreed.
type Wants uint8

// The wants.
const (
	Always        Wants = iota
	Never               // its class is inert
	Delegates           // one of its delegates wants control
	IntentPending       // a user asked for it: it waits for an intent, and its gate saw that
	FaceSeen            // a face is known
	FaceNamed           // a person is known by name
	FaceIf              // a face is known, if the file requires one
	CubeSeen            // it knows where a cube is
	ObjectSeen          // it knows where some object is
	ChargerSeen         // it knows where the charger is
	OnPlatform          // it stands on the charger
	ToCharge            // it stands on the charger, the battery is not full, and nobody asks for anything
	Carrying            // it carries something
	Edge                // it feels an edge
	Lifted              // it is held in the air
	PutDown             // it came back onto its treads a moment ago
	OnBack
	OnFace
	OnSide
	Shaken      // it was shaken a moment ago
	Touched     // a hand strokes it
	Obstacle    // something stands in front of it
	TriggerWord // it heard its name
	Unclaimed   // nobody did what was asked
)

// WantsNames are the names, by number.
var WantsNames = []string{
	"always", "never", "if a delegate does", "if an intent is pending", "if a face is known", "if a person is known by name", "if a face is known that the file requires",
	"if it knows a cube", "if it knows an object", "if it knows the charger", "on the charger", "to charge", "while it carries something", "at an edge", "in the air",
	"after it was put down", "on its back", "on its face", "on its side", "after it was shaken", "while it is touched", "in front of something", "after the trigger word",
	"after an intent that nobody took",
}

func (w Wants) String() string { return WantsNames[w] }

const (
	// justNow is how long "a moment ago" lasts.
	justNow = 2 * time.Second
	// inFront is the distance of something that stands in front of the robot.
	inFront = 200.0
)

// met says whether the fact that a want waits for holds.
func (s *standIn) met(c *behaviors.Control) bool {
	w := c.World()
	b := &w.Body
	switch s.row.Wants {
	case Always:
		return true
	case IntentPending:
		return s.asked
	case FaceSeen:
		return len(w.Faces) > 0
	case FaceNamed:
		return named(w)
	case FaceIf:
		return len(w.Faces) > 0 || s.read.values["requireFaceForActivation"] != true
	case CubeSeen:
		return knows(w, hardware.KindCube)
	case ObjectSeen:
		return knows(w, hardware.KindCube) || knows(w, hardware.KindCharger)
	case ChargerSeen:
		return knows(w, hardware.KindCharger)
	case OnPlatform:
		return b.OnPlatform
	case ToCharge:
		return b.OnPlatform && b.Battery != hardware.BatteryFull && c.View().Intent.Pending == nil
	case Obstacle:
		return w.Range.OK() && w.Range.Value.Found && w.Range.Value.DistanceMM < inFront
	case TriggerWord:
		return c.View().TriggerWord
	case Unclaimed:
		return c.View().Intent.Unclaimed > s.unclaimed
	case Never, Delegates:
		return false
	}
	return feels(s.row.Wants, b, c.Now())
}

// feels is met for what the body feels.
func feels(want Wants, b *hardware.Body, now time.Time) bool {
	switch want {
	case Carrying:
		return b.Carrying
	case Edge:
		return !b.CliffSince.IsZero()
	case Lifted:
		return b.PickedUp
	case PutDown:
		return b.Treads == hardware.OnTreads && b.Origin > 1 && now.Sub(b.TreadsSince) < justNow
	case OnBack:
		return b.Treads == hardware.OnBack
	case OnFace:
		return b.Treads == hardware.OnFace
	case OnSide:
		return b.Treads == hardware.OnLeftSide || b.Treads == hardware.OnRightSide
	case Shaken:
		return !b.ShakenAt.IsZero() && now.Sub(b.ShakenAt) < justNow
	case Touched:
		return b.Touched
	default:
		return false
	}
}

func named(w *hardware.World) bool {
	for i := range w.Faces {
		if w.Faces[i].Name != "" {
			return true
		}
	}
	return false
}

func knows(w *hardware.World, kind string) bool {
	for i := range w.Objects {
		if o := &w.Objects[i]; o.Kind == kind && o.Origin == w.Body.Origin {
			return true
		}
	}
	return false
}

// look is what must be seen for the want.
func (w Wants) look() hardware.Look {
	switch w {
	case FaceSeen, FaceNamed, FaceIf:
		return hardware.LookFor(hardware.SeeFaces, hardware.Low)
	case CubeSeen, ObjectSeen, ChargerSeen:
		return hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	default:
		return hardware.Look{}
	}
}
