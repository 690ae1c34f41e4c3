package hardware

import "slices"

// A VisionMode is one kind of detection that a vision process can perform.
type VisionMode uint8

// The vision modes: one for each kind of detection that a vision process may send.
const (
	SeeFaces   VisionMode = iota // people: Detections.Faces
	SeeMarkers                   // the charger and cubes: Detections.Objects
	SeeMotion                    // something moves in the picture: Detections.Motion
	SeeGaze                      // where people look: Face.EyeContact
	SeeBlink                     // whether they blink: Face.EyeContact
	SeePeople                    // bodies, hands and other things worth a look: Detections.Points
	SeePets                      // cats and dogs: Detections.Pets
	SeeLight                     // how bright it is: Detections.Light
)

// VisionModeNames are the names of the modes, by mode.
var VisionModeNames = []string{"Faces", "Markers", "Motion", "Gaze", "Blink", "People", "Pets", "Illumination"}

func (m VisionMode) String() string { return VisionModeNames[m] }

// A Frequency is how often a mode shall run. A higher one includes the lower ones.
type Frequency uint8

// The frequencies. The zero value is not at all.
const (
	Never    Frequency = iota
	Low                // twice a second: to notice
	Standard           // five times a second: to follow with the eyes
	High               // every image: to dock and to track
)

// FrequencyNames are the names of the frequencies, by frequency.
var FrequencyNames = []string{"Never", "Low", "Standard", "High"}

func (f Frequency) String() string { return FrequencyNames[f] }

// A Look is a set of vision modes, each with its frequency. The zero value is empty. It is a comparable value.
type Look [SeeLight + 1]Frequency

// LookFor returns a set with one mode.
func LookFor(m VisionMode, f Frequency) Look { return Look{}.With(m, f) }

// With returns the set with one mode at least that often.
func (l Look) With(m VisionMode, f Frequency) Look {
	l[m] = max(l[m], f)
	return l
}

// Or returns the union of two sets: for each mode the higher frequency.
func (l Look) Or(o Look) Look {
	for m, f := range o {
		l[m] = max(l[m], f)
	}
	return l
}

// Empty reports whether nothing is looked for.
func (l Look) Empty() bool { return l == Look{} }

// Sees reports whether a mode is in the set.
func (l Look) Sees(m VisionMode) bool { return l[m] != Never }

// Filter leaves out the detections whose mode is not in the set. The slices that stay are shared with d.
func (l Look) Filter(d Detections) Detections {
	if !l.Sees(SeeFaces) {
		d.Faces = nil
	}
	if !l.Sees(SeeMarkers) {
		d.Objects, d.NoMarkers = nil, true
	}
	if !l.Sees(SeeMotion) {
		d.Motion = Motion{}
	}
	if !l.Sees(SeePeople) {
		d.Points = nil
	}
	if !l.Sees(SeePets) {
		d.Pets = nil
	}
	if !l.Sees(SeeLight) {
		d.Light = LightUnknown
	}
	if l.Sees(SeeFaces) && !l.Sees(SeeGaze) && hasEyes(d.Faces) {
		d.Faces = slices.Clone(d.Faces)
		for i := range d.Faces {
			d.Faces[i].EyeContact = false
		}
	}
	return d
}

func hasEyes(faces []Face) bool {
	return slices.ContainsFunc(faces, func(f Face) bool { return f.EyeContact })
}

// LightObjects are the objects that take custom light patterns: the robot's own back lights, and the lights of a connected
// cube, which the process that holds the connection shows.
var LightObjects = []string{LightsBackpack, LightsCube}

// The objects with lights.
const (
	LightsBackpack = "backpack"
	LightsCube     = "cube"
)

// KnownLightObject reports whether an object has lights.
func KnownLightObject(name string) bool { return slices.Contains(LightObjects, name) }
