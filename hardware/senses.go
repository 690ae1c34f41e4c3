package hardware

import "time"

// A MotionArea is a part of the picture in which something can move.
type MotionArea uint8

// The parts of the picture.
const (
	MotionLeft MotionArea = iota
	MotionRight
	MotionTop
	MotionGround
)

// MotionAreaNames are the names of the parts as behavior files write them, by part.
var MotionAreaNames = []string{"Left", "Right", "Top", "Ground"}

// A Motion is the share of each part of the picture that moves, 0 to 1, by [MotionArea].
type Motion [MotionGround + 1]float64

// Max is the greatest share of all parts.
func (m Motion) Max() float64 {
	return max(m[MotionLeft], m[MotionRight], m[MotionTop], m[MotionGround])
}

// A SalientPoint is a place in the picture that is worth a look.
type SalientPoint struct {
	Kind       string  `json:"kind"` // one of SalientKinds
	BearingRad float64 `json:"bearing_rad"`
}

// SalientKinds are what a vision process may find worth a look, as behavior files write them.
var SalientKinds = []string{"Unknown", "Person", "Face", "Hand", "Pet", "Object", "BrightColors", "SceneDescription"}

// A Pet as seen.
type Pet struct {
	ID int `json:"id"`
}

// A Light is how bright the surroundings are.
type Light uint8

// The states of the light.
const (
	LightUnknown Light = iota
	Illuminated
	Darkened
)

// LightNames are the names of the states as behavior files write them, by state.
var LightNames = []string{"Unknown", "Illuminated", "Darkened"}

func (l Light) String() string { return LightNames[l] }

// A Beat is what a speech process hears of music.
type Beat uint8

// The states of the beat.
const (
	NoBeat Beat = iota
	PossibleBeat
	SteadyBeat
)

// BeatNames are the names of the states, by state.
var BeatNames = []string{"None", "Possible", "Steady"}

func (b Beat) String() string { return BeatNames[b] }

// Limits of a tempo.
const (
	LeastBPM = 30.0
	MostBPM  = 300.0
)

// Music is what is heard of it.
type Music struct {
	Beat Beat
	// TempoBPM is the number of beats a minute, [LeastBPM] to [MostBPM]; 0 if it is not known.
	TempoBPM float64
	// BeatAt is the instant of the newest beat; of no meaning without a tempo.
	BeatAt time.Time
}

// Period is the time between two beats; 0 without a beat, or if the tempo is not known.
func (m *Music) Period() time.Duration {
	if m.Beat == NoBeat || !(m.TempoBPM >= LeastBPM && m.TempoBPM <= MostBPM) {
		return 0
	}
	return time.Duration(float64(time.Minute) / m.TempoBPM)
}

// A Habitat is what the robot believes of where it is.
type Habitat uint8

// The beliefs.
const (
	HabitatUnknown Habitat = iota
	InHabitat
	NotInHabitat
)

// HabitatNames are the names of the beliefs, by belief.
var HabitatNames = []string{"Unknown", "InHabitat", "NotInHabitat"}

func (h Habitat) String() string { return HabitatNames[h] }

// EngineErrors are the codes of what a vision process complains of, as behavior files write them. Empty is no complaint.
var EngineErrors = []string{"", "ImageQualityTooDark", "ImageQualityTooBright"}

// Limits of the temperatures.
const (
	HotCPUC     = 90.0 // °C, the processor is hot from here on
	HotBatteryC = 55.0 // °C, the battery is hot from here on
	// StallBatteryC is the temperature of the battery from which on a charger does not charge it, ResumeBatteryC that from which down it does
	// again.
	StallBatteryC, ResumeBatteryC = 45.0, 40.0
)

// Night is from 22:00 to 6:00 by the robot's clock.
const nightFrom, nightUntil = 22, 6

// NightAt reports whether an instant is at night in its own time zone.
func NightAt(t time.Time) bool { return t.Hour() >= nightFrom || t.Hour() < nightUntil }

// Around is what the robot perceives of its surroundings beside faces and objects.
type Around struct {
	// Motion is what moves in the images of this tick and the one before; nothing if there was none.
	Motion Motion
	Points []SalientPoint // of the newest image; not to be modified
	Pets   []KnownPet     // seen within a minute, by ID; not to be modified
	Light  Light          // of the newest image
	// LightSeq is the number of images that told of the light.
	LightSeq uint64
	Music
	Habitat Habitat
	// EngineError is the code of the newest complaint of the vision process since start; empty for none.
	EngineError string
	Night       bool
}

// A KnownPet is a remembered sighting.
type KnownPet struct {
	ID     int
	Times  int       // seen so often, in images
	SeenAt time.Time // capture time of the newest image with it
}
