package behaviors

import "fmt"

// A Facility is something of the robot that a behavior may hold while it is activated.
type Facility uint8

// The facilities whose misuse is counted.
const (
	FacilityProfile  Facility = iota // motion profile
	FacilityLights                   // custom lights
	FacilityResponse                 // response to the trigger word
	FacilityHearing                  // disabled response to the trigger word
	FacilityPower                    // power-save request
	FacilityFace                     // keep-face-alive lock
	FacilityGetOut                   // emergency get-out
	FacilityCube                     // connection to the cube
	FacilityVision                   // vision modes
)

var facilityNames = [...]string{
	"motion profile", "custom lights", "trigger-word response", "trigger-word lock", "power-save request", "keep-face-alive lock",
	"emergency get-out", "cube connection", "vision modes",
}

func (f Facility) String() string { return facilityNames[f] }

// A Mistake is what was wrong about a request.
type Mistake uint8

// The mistakes.
const (
	AlreadySet     Mistake = iota + 1 // the behavior holds it already
	NotSet                            // the behavior does not hold it
	NotActivated                      // only an activated behavior may hold it: nobody would release it otherwise
	NotInScope                        // not even in activatable scope
	UnknownObject                     // there is nothing of that name
	NothingToAlter                    // there is no response to alter
	NoAnimation                       // no animation was given, or it could not be queued
	GetInExpected                     // the trigger word is being answered
	HeldReplaced                      // an action that waited for the get-out gave way to a newer one
	Halted                            // the robot is stopped
	NoEnsurer                         // no active ancestor keeps the cube connected
)

var mistakeNames = [...]string{
	"", "already set", "not set", "not activated", "not in scope", "unknown object", "nothing to alter", "no animation",
	"trigger word is being answered", "a waiting action was replaced", "the robot is halted", "no active ancestor keeps the cube connected",
}

func (m Mistake) String() string { return mistakeNames[m] }

// Facilities lists all facilities.
func Facilities() []Facility {
	all := make([]Facility, len(facilityNames))
	for i := range all {
		all[i] = Facility(i)
	}
	return all
}

// Mistakes lists all mistakes.
func Mistakes() []Mistake {
	var all []Mistake
	for m := AlreadySet; int(m) < len(mistakeNames); m++ {
		all = append(all, m)
	}
	return all
}

// A Misuse is a request that a behavior should not have made: who, what, and what was wrong. Whether it had an effect all the
// same is told by Applied. Every one is counted and logged; it is also the error that the author gets.
type Misuse struct {
	By       string
	Facility Facility
	Mistake  Mistake
	Key      string // object or name, if there is one
	Applied  bool
}

func (m *Misuse) Error() string {
	what := m.Facility.String()
	if m.Key != "" {
		what += " " + m.Key
	}
	return fmt.Sprintf("behaviors: %s: %s: %s", m.By, what, m.Mistake)
}
