package sim

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware/emul"
)

// mode is what carries the robot: the table, a person or the floor.
type mode uint8

const (
	standing mode = iota // on the table
	held                 // in a person's hands
	fallen               // fell off the table, not yet put back
)

// world is the whole simulated state. It has no lock; the Rig's mutex guards it.
type world struct {
	opt     Options
	body    body
	seed    noise
	offsets offsets
	start   time.Time     // instant of step 0
	next    time.Duration // from start to the first step that is not taken
	second  time.Duration // from start to the step after that
	n       int64         // steps taken
	due     int64         // earliest step at which something is scheduled

	table        polygon // or floor with walls
	extent       vec     // its farthest corner, about
	charger      hpose
	chargerFrame frame
	dock         hpose // of a robot on the contacts
	pad          box   // the footprint of the charger
	block        box   // its solid part
	obstacles    []obstacle
	cubes        [3]cube

	mode       mode
	modeAt     int64 // step of the last change of mode
	backAt     int64 // a fallen robot is put back on the table
	robot      hpose
	robotFrame frame // of the pose framed
	spots      [4]cliffSpot
	framed     hpose
	wheels     [2]wheel  // left, right
	gripEnd    int64     // the step at which they have another grip
	supply     supply    // of the motor bridge
	powered    bool      // the motor bridge is awake
	board      *emul.UGV // drives the wheels, if the robot has such a board
	text       [4]string // on its display
	servos     [3]servo  // head, lift, pan
	mount      mount     // of the inertial sensor
	hand       *attitude // how a person holds the robot on purpose; nil: a hand sways
	lights     []float64 // red, green and blue of each
	lit        float64   // amperes of electronics and lights
	accel      vec       // longitudinal and lateral, smoothed as by a sensor's low-pass, mm/s²
	yawRate    float64
	checkAt    int64 // earliest step at which clearances must be checked
	near       bool  // so near to something solid that contacts must be solved
	contacts   contacts
	hands      hands
	tilt       tilt
	camera     camera

	battery    battery
	onContacts bool
	away       bool // has been 100 mm away from the dock since the last contact

	people      []person
	company     company
	guest       guest
	touched     bool
	touchEnd    int64
	shaking     bool
	shakeEnd    int64
	shakeReturn bool // put the robot down after the shake
	senses      senses

	falls, dockings uint64
	distanceMM      float64
}

func newWorld(opt Options) *world {
	opt = opt.withDefaults()
	w := &world{
		opt: opt, seed: noise(mix(opt.Seed)), start: opt.Now, next: math.MinInt64, second: math.MinInt64, due: never,
		backAt: never, touchEnd: never, shakeEnd: never, guest: guest{end: never, lookAt: never}, robotFrame: frameOf(hpose{}),
	}
	w.body = newBody(opt.Profile)
	w.offsets, w.mount = newOffsets(w.seed, w.body.floorVolts), newMount(opt.Mount)
	w.layOut()
	w.wheels = w.newWheels()
	w.servos, w.lights = w.body.newServos(), make([]float64, w.body.lamps())
	for i := range w.servos {
		w.servos[i].spread(w.seed, int64(i), max(0, opt.Spread))
	}
	w.battery = newBattery(opt, w.seed)
	w.feed()
	w.supply = supply{width: pulseWidth(opt, w.seed), end: never}
	w.invitePeople()
	w.camera.at = never
	w.contacts = newContacts(w)
	w.away = true
	if opt.StartOffCharger || !w.body.World.Charger {
		w.robot = w.spot(pose(vec{}, w.seed.span(srcOffset, 2, -math.Pi, math.Pi)), 100)
	} else {
		w.robot = pose(w.chargerFrame.out(vec{w.body.dockX + 0.5, 0}), w.charger.HeadingRad)
		w.away = false // a docked start does not count as a docking
	}
	w.shine()
	w.gate()
	w.check()
	w.stands()
	w.reschedule()
	return w
}

// frame is the frame of the robot. Several sensors read it at one instant.
func (w *world) frame() frame {
	if w.robot != w.framed {
		w.framed, w.robotFrame = w.robot, frameOf(w.robot)
	}
	return w.robotFrame
}

// advance steps the world to the last whole step not after now.
func (w *world) advance(now time.Time) {
	if w.start.IsZero() {
		w.start = now
	}
	w.advanceTo(now.Sub(w.start))
}

// advanceTo is advance to an instant after step 0.
func (w *world) advanceTo(at time.Duration) {
	if at < w.next {
		return
	}
	w.boot()
	target := w.n + 1
	if at >= w.second {
		target = int64(at / step)
	}
	if late := target - w.n - liveSteps; w.opt.Live && late > 0 {
		w.start = w.start.Add(time.Duration(late) * step)
		target -= late
	}
	w.run(target)
	w.next = time.Duration(w.n+1) * step
	w.second = w.next + step
}

// run performs steps until target. While nothing moves it skips to the next scheduled event. Only the battery changes
// then, and its arithmetic is exact, so the result does not depend on how the time is divided.
func (w *world) run(target int64) {
	for w.n < target {
		if w.idle() {
			k := min(target, w.due) - w.n
			w.battery.spend(w.amps(), k)
			w.swap()
			w.n += k
		} else {
			w.step()
			w.n++
		}
		w.keepUp()
		if w.n >= w.due {
			w.runEvents()
		}
	}
}

// idle reports whether a step would change only the charge.
func (w *world) idle() bool {
	return w.wheels[0].still(w.powered) && w.wheels[1].still(w.powered) && w.accel == vec{} &&
		w.servos[0].still() && w.servos[1].still() && w.servos[2].still() && !w.contacts.moving && w.yawRate == 0 && !w.twisting() &&
		!w.sinking() && !w.tilt.rocking() && (w.board == nil || !w.board.Busy())
}

func (w *world) step() {
	for i := range w.servos {
		w.servos[i].slew()
	}
	before := w.forward()
	switch {
	case w.mode != standing:
		w.spin()
		w.contacts.settle(w)
		before = 0
	case w.near || w.contacts.moving:
		w.push()
	default:
		w.contacts.release()
		w.roll()
	}
	if w.twisting() {
		w.twist()
	}
	w.updateAcceleration(before)
	w.hold(before)
	w.rock()
	w.battery.spend(w.amps(), 1)
	w.swap()
	if w.mode == standing && w.n >= w.checkAt {
		w.check()
	}
}

// check measures the distance to obstacles and computes how many steps may pass before the next check.
func (w *world) check() {
	at := position(w.robot)
	if !w.walled() && !w.table.inside(at, edgeMM) && w.lean() {
		w.fall()
		return
	}
	solid := w.clearance(at, w.reach()+19) - w.reach() - 20
	w.near = solid <= 0
	free := max(0, solid)
	if free > 0 && !w.walled() {
		free = min(w.table.margin(at)-edgeMM, free)
	}
	if w.body.World.Charger {
		gap := at.distance(position(w.dock))
		w.updateContacts(gap)
		free = min(free, max(gap-30, 0))
		if !w.away {
			free = min(free, math.Abs(gap-100))
		}
	}
	w.checkAt = w.n + 1 + int64(max(0, free)/w.body.stride)
}

// clearance is the distance from p to the nearest solid object. When one is that near, the others do not matter.
func (w *world) clearance(p vec, near float64) (mm float64) {
	if w.walled() {
		mm = w.table.margin(p)
	} else {
		mm = w.block.distance(p)
	}
	if mm > near {
		mm = min(mm, w.room(p, near))
	}
	return mm
}

// updateContacts decides whether the robot sits on the charging contacts, gap millimeters from the ideal place: within
// 8 mm sideways, 12° of heading, and its rear within 3 mm of the block (4 mm once it has contact).
func (w *world) updateContacts(gap float64) {
	if gap >= 100 {
		w.away = true
	}
	on := false
	if gap < 30 && w.mode == standing {
		reach := 3.0
		if w.onContacts {
			reach = 4.0
		}
		p := w.chargerFrame.in(position(w.robot))
		turn := math.Abs(wrap(w.robot.HeadingRad - w.charger.HeadingRad))
		rear := p.x - w.body.back*math.Cos(turn) - w.body.width/2*math.Sin(turn) - (w.body.dockX - w.body.back)
		on = math.Abs(p.y) <= 8 && turn <= degrees(12) && rear <= reach
	}
	if on && !w.onContacts && w.away {
		w.dockings++
		w.away = false
	}
	w.onContacts = on
	w.battery.charging = on
}
