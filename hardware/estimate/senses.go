package estimate

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// A held robot sways: it turns faster than swayRadPS again and again, at least every swayTime.
	swayRadPS = 0.03
	swayTime  = 1500 * time.Millisecond
	// heldTurn is by how much it must have turned since it stood (TRD-3).
	heldTurn = 1 * deg

	// Skin reflects more than the void and less than a table. A palm is under a robot that is picked up and level, with most sensors over skin.
	skinFrom, skinTo = 150.0, 300.0
	skinSensors      = 3
	palmTilt         = 25 * deg
	palmConfirm      = 300 * time.Millisecond

	// skidRadPS is by how much the body may turn otherwise than the wheels, and skidTime for how long.
	skidRadPS = 0.6
	skidTime  = 200 * time.Millisecond

	petTime = 60 * time.Second
	maxPets = 16
)

// hands detects what a person does to the robot as a whole.
type hands struct {
	held      bool
	heldSince time.Time
	swayAt    time.Time
	stood     [3]float64 // yaw, pitch and roll when it stood last
	turned    bool       // otherwise than it stood, at any time since

	level     time.Time // since when it lies as on a palm
	palm      bool
	palmSince time.Time
	palmUntil time.Time

	skidSince time.Time
}

func (h *hands) update(s *hardware.Snapshot, pickedUp, onTreads bool, b *hardware.Body) {
	h.turn(s, pickedUp)
	h.hold(s, pickedUp)
	h.lie(s, pickedUp)
	b.Held, b.HeldSince = h.held, h.heldSince
	b.InPalm, b.PalmSince, b.PalmUntil = h.palm, h.palmSince, h.palmUntil
	b.Moved = h.skid(s, onTreads)
}

// turn notes whether the robot was turned, in any direction, since it stood last. While no sensor sees the floor it does not stand, although the
// pick-up is not confirmed yet.
func (h *hands) turn(s *hardware.Snapshot, pickedUp bool) {
	if !s.IMU.OK() {
		return
	}
	v := &s.IMU.Value
	now := [3]float64{v.YawRad, v.PitchRad, v.RollRad}
	if !pickedUp && !(s.Cliff.OK() && allVoid(&s.Cliff.Value)) {
		h.stood, h.turned = now, false
		return
	}
	for i := range now {
		h.turned = h.turned || math.Abs(hardware.WrapRad(now[i]-h.stood[i])) > heldTurn
	}
}

// hold decides whether a person holds the robot.
func (h *hands) hold(s *hardware.Snapshot, pickedUp bool) {
	if h.heldSince.IsZero() {
		h.heldSince = s.Now
	}
	if g := s.IMU.Value.GyroRadPS; s.IMU.OK() && math.Abs(g[0])+math.Abs(g[1])+math.Abs(g[2]) > swayRadPS {
		h.swayAt = s.Now
	}
	held := pickedUp && h.turned && s.IMU.OK() && !h.swayAt.IsZero() && s.Now.Sub(h.swayAt) <= swayTime
	if held != h.held {
		h.held, h.heldSince = held, s.Now
	}
}

// lie decides whether the robot lies on a palm.
func (h *hands) lie(s *hardware.Snapshot, pickedUp bool) {
	level := false
	if pickedUp && s.Cliff.OK() && s.IMU.OK() {
		tilt, _ := attitude(s.IMU.Value)
		level = tilt < palmTilt && overSkin(&s.Cliff.Value) >= skinSensors
	}
	mark(&h.level, s.Now, level)
	if h.palm = level && s.Now.Sub(h.level) >= palmConfirm; h.palm {
		h.palmSince, h.palmUntil = h.level, s.Now
	}
}

func overSkin(c *hardware.CliffState) int {
	n := 0
	for _, v := range c.Raw {
		if v >= skinFrom && v < skinTo {
			n++
		}
	}
	return n
}

// skid reports that the body turned otherwise than the wheels for skidTime: once, and again after as long.
func (h *hands) skid(s *hardware.Snapshot, onTreads bool) bool {
	m := &s.Motors.Value
	turn := (m.RightMMPS - m.LeftMMPS) / m.Tread()
	slips := onTreads && s.Motors.OK() && !m.Reckoned && s.IMU.OK() && math.Abs(s.IMU.Value.GyroRadPS[2]-turn) > skidRadPS
	mark(&h.skidSince, s.Now, slips)
	if !slips || s.Now.Sub(h.skidSince) < skidTime {
		return false
	}
	h.skidSince = s.Now
	return true
}

const (
	farMM       = 400.0 // what is farther counts as this far
	suddenMM    = 80.0  // nearer than expected by this: an obstacle appeared
	changedMM   = 20.0  // another distance than expected by this: something moved
	straightRad = 0.5 * deg
	straightFor = 300 * time.Millisecond // after a turn the distance is that of something else
)

// distanceAhead compares the distance ahead with what the robot expects as it drives, on its treads and with the sensor ahead.
type distanceAhead struct {
	seq    uint64
	mm     float64
	pose   hardware.Pose
	known  bool
	turned time.Time

	obstacleAt, rangeAt time.Time
}

func (d *distanceAhead) update(s *hardware.Snapshot, p hardware.Pose, ahead bool) {
	r := &s.Range
	if !r.OK() || !ahead {
		d.known = false
		return
	}
	if d.known && r.Seq == d.seq {
		return
	}
	mm := farMM
	if r.Value.Found {
		mm = min(r.Value.DistanceMM, farMM)
	}
	was := *d
	d.seq, d.mm, d.pose, d.known = r.Seq, mm, p, true
	if !was.known {
		return
	}
	if math.Abs(hardware.WrapRad(p.HeadingRad-was.pose.HeadingRad)) > straightRad {
		d.turned = s.Now
	}
	if !d.turned.IsZero() && s.Now.Sub(d.turned) < straightFor {
		return
	}
	sin, cos := math.Sincos(was.pose.HeadingRad)
	way := (p.XMM-was.pose.XMM)*cos + (p.YMM-was.pose.YMM)*sin
	nearer := min(was.mm-way, farMM) - mm
	if nearer > suddenMM {
		d.obstacleAt = s.Now
	}
	if math.Abs(nearer) > changedMM {
		d.rangeAt = s.Now
	}
}

// heat tells when processor or battery are too warm.
type heat struct{ stalled bool }

func (h *heat) update(s *hardware.Snapshot, b *hardware.Body) {
	v := &s.Battery.Value
	limit := hardware.StallBatteryC
	if h.stalled {
		limit = hardware.ResumeBatteryC
	}
	h.stalled = s.Battery.OK() && b.OnContacts && !b.Charging && v.TempC >= limit
	b.ChargeStalled = h.stalled
	b.Hot = s.Battery.OK() && (v.TempC >= hardware.HotBatteryC || v.CPUTempC >= hardware.HotCPUC)
}

// tooWarm reports whether the battery may be too warm to be charged.
func tooWarm(s *hardware.Snapshot) bool {
	return s.Battery.OK() && s.Battery.Value.TempC >= hardware.ResumeBatteryC
}

// perception keeps what images and a speech process tell beside faces and objects. Its slices are never changed in place, because worlds of
// past ticks share them.
type perception struct {
	motion hardware.Motion
	around hardware.Around
}

// update takes the reading of one tick, and its new images.
func (p *perception) update(s *hardware.Snapshot, images []hardware.Image, onTreads bool) hardware.Around {
	a, d := &p.around, &s.Vision.Value
	before := p.motion
	p.motion = hardware.Motion{}
	for i := range images {
		p.image(&images[i])
	}
	switch {
	case !sees(s):
		a.Points, a.Light = nil, hardware.LightUnknown
	case d.Posted || len(images) > 0:
		a.Points, a.Light = d.Points, d.Light
	}
	for i := range a.Motion {
		a.Motion[i] = max(before[i], p.motion[i])
	}
	a.Music = hardware.Music{}
	if s.Vision.OK() {
		a.Music = d.Music
	}
	if !onTreads {
		a.Habitat = hardware.HabitatUnknown
	}
	a.Night = s.Night
	p.forgetPets(s.Now)
	return *a
}

// image takes a new image.
func (p *perception) image(d *hardware.Image) {
	a := &p.around
	for i := range d.Motion {
		p.motion[i] = max(p.motion[i], d.Motion[i])
	}
	if d.Light != hardware.LightUnknown {
		a.LightSeq++
	}
	if d.Habitat != hardware.HabitatUnknown {
		a.Habitat = d.Habitat
	}
	if d.Trouble != "" {
		a.EngineError = d.Trouble
	}
	for _, pet := range d.Pets {
		p.addPet(pet.ID, d.CapturedAt)
	}
}

func (p *perception) addPet(id int, at time.Time) {
	pets := slices.Clone(p.around.Pets)
	i, known := slices.BinarySearchFunc(pets, id, func(k hardware.KnownPet, id int) int { return k.ID - id })
	switch {
	case known:
	case len(pets) == maxPets:
		return
	default:
		pets = slices.Insert(pets, i, hardware.KnownPet{ID: id})
	}
	pets[i].Times++
	pets[i].SeenAt = at
	p.around.Pets = pets
}

func (p *perception) forgetPets(now time.Time) {
	old := func(k hardware.KnownPet) bool { return now.Sub(k.SeenAt) > petTime }
	if slices.ContainsFunc(p.around.Pets, old) {
		p.around.Pets = slices.DeleteFunc(slices.Clone(p.around.Pets), old)
	}
}
