package facts

import (
	"fmt"
	"math"
	"slices"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// makeDevices says state and reading of each device.
func (m *maker) makeDevices(b *raw) {
	if b.devices != nil {
		m.tellReinits(b)
		m.devices = b.devices
	}
	if b.truth != nil {
		m.tellFaults(b)
	}
	for i, name := range hardware.Names {
		if !m.has(name) {
			continue
		}
		q, at, _ := b.world.StatusOf(name)
		v := deviceValue{Name: name, Quality: q.String(), Fault: m.faults[name], Why: feed.AsideOf(name, &b.world)}
		if q != hardware.OK && v.Why == "" {
			v.AtS = m.since(at)
		}
		if i < len(m.devices) {
			c := &m.devices[i]
			v.Restarts, v.Reinits, v.Retries, v.Errors, v.Cause = c.Restarts, c.Reinits, c.Retries, c.Errors, c.Cause
		}
		put(m, topicDevice, name, v)
		if !at.IsZero() {
			m.putReading(name, &b.world)
		}
	}
	m.makeCliffs(b)
}

// has reports whether the robot has a device.
func (m *maker) has(device string) bool { return m.opts.Setup.Profile().Has(device) }

// putReading says a reading. Readings are comparable.
func (m *maker) putReading(name string, w *hardware.World) {
	r := feed.ReadingOf(name, w)
	p := place{topicReading, name}
	if last, ok := m.last[p]; !ok || last != any(r) {
		m.last[p] = r
		m.say(topicReading, name, r)
	}
}

func (m *maker) tellReinits(b *raw) {
	for i, c := range b.devices {
		if i < len(m.devices) && c.Reinits > m.devices[i].Reinits {
			m.tell(b.at, eventValue{kindReinit, hardware.Names[i], fmt.Sprintf("initialized again (%d times so far)", c.Reinits)})
		}
	}
}

// tellFaults follows the faults that were injected.
func (m *maker) tellFaults(b *raw) {
	now := feed.FaultsOf(b.truth.faults)
	for _, name := range hardware.Names {
		switch was, is := m.faults[name], now[name]; {
		case was == is:
		case is == "":
			m.tell(b.at, eventValue{kindFault, name, "healed: " + was})
		default:
			m.tell(b.at, eventValue{kindFault, name, "broken: " + is})
		}
	}
	m.faults = now
}

// makeCliffs draws what the floor sensors sense, as they sense it.
func (m *maker) makeCliffs(b *raw) {
	if len(m.static.Cliffs) == 0 {
		return
	}
	key := cliffKey{b.world.Cliff.Value.Detected, b.world.QualityOf(hardware.Cliff) == hardware.OK}
	if p := (place{topicScene, "cliffs"}); m.last[p] != any(key) {
		m.last[p] = key
		m.drawCliffs(m.static.Cliffs, key.detected, key.seeing)
	}
}

type cliffKey struct {
	detected [4]bool
	seeing   bool
}

// makeBody says what the robot believes of its body.
func (m *maker) makeBody(b *raw) {
	s := feed.BodyOf(&b.world)
	put(m, topicBody, "", bodyValue{
		Treads: s.Treads, Battery: s.Battery, Volts: round(s.Volts, 100), Charge: round(s.Charge, 100), Charging: s.Charging,
		OnCharger: s.OnCharger, Touched: s.Touched, Face: s.Face, Gaze: s.Gaze, Lid: s.Lid, Shape: s.Shape, Breath: s.Breath, FaceLayer: b.face.String(),
		Says: s.Says, Lights: s.Lights, HeadRad: round(s.HeadRad, 1000), LiftMM: round(s.LiftMM, 10),
	})
	put(m, topicSenses, "", feed.SensesOf(&b.world))
	m.makeMap(b)
	pose := roundPose(s.Pose)
	believed := pose
	if b.truth != nil {
		if body := &b.world.Body; m.anchor.Begun(body) {
			m.anchor.Tie(body, b.truth.view.Robot.Pose)
		}
		believed = roundPose(m.anchor.Place(s.Pose))
	}
	if p, key := (place{topicPose, ""}), [2]hardware.Pose{pose, believed}; m.last[p] != any(key) {
		m.last[p] = key
		m.say(topicPose, "", poseValue{m.stamp, frameWorld, poseOf(believed, 0), pose.XMM, pose.YMM, pose.HeadingRad, believed})
		if b.truth == nil {
			m.place(pose)
		}
	}
}

// makeMap says what the robot believes of its surroundings. Marks are said when they change, which is seldom.
func (m *maker) makeMap(b *raw) {
	belief := feed.BeliefOf(&b.world)
	put(m, topicMap, "belief", belief)
	m.set(topicMap, "objects", mapObjects{feed.ObjectsOf(&b.world)})
	if p := (place{topicMap, "marks"}); m.last[p] != any(belief.Version) {
		m.last[p] = belief.Version
		m.say(topicMap, "marks", mapMarks{feed.MapOf(&b.world, m.since).Marks})
	}
}

// place says where the frame of the robot lies.
func (m *maker) place(p hardware.Pose) {
	at := poseOf(p, 0)
	m.say(topicTF, "", transform{m.stamp, frameWorld, frameRobot, at.Position, at.Orientation})
}

// makeWorld says what is true in the simulated world.
func (m *maker) makeWorld(b *raw) {
	v := &b.truth.view
	if len(m.static.Table) == 0 {
		m.static = staticOf(v)
		m.set(topicWorldStatic, "", m.static)
		m.drawStatic(&m.static)
	}
	robot := worldRobot{
		Pose: roundPose(v.Robot.Pose), Held: v.Robot.Held, Fallen: v.Robot.Fallen, RangeMM: round(v.RangeMM, 1),
		PitchRad: round(v.Robot.PitchRad, 200), RollRad: round(v.Robot.RollRad, 200),
	}
	if put(m, topicWorld, "robot", robot) {
		if p := (place{topicTF, ""}); m.last[p] != any(robot.Pose) {
			m.last[p] = robot.Pose
			m.place(robot.Pose)
		}
	}
	if charger := roundPose(v.Charger); put(m, topicWorld, "charger", charger) {
		m.drawCharger(charger)
	}
	cubes := worldCubes{}
	for _, c := range v.Cubes {
		cubes.Cubes = append(cubes.Cubes, control.WorldCube{Pose: roundPose(c.Pose), ID: c.ID, BaseMM: round(c.BaseMM, 10), Up: c.Up, Carried: c.Carried})
	}
	if m.set(topicWorld, "cubes", cubes) {
		m.drawCubes(cubes.Cubes)
	}
	faces := worldFaces{}
	for _, f := range v.Faces {
		faces.Faces = append(faces.Faces, control.WorldFace{ID: f.ID, Name: f.Name, XMM: round(f.XMM, 10), YMM: round(f.YMM, 10)})
	}
	if m.set(topicWorld, "faces", faces) {
		m.drawPeople(faces.Faces)
	}
	c := b.counters
	c.Falls, c.Dockings, c.DistanceM = b.truth.stats.Falls, b.truth.stats.Dockings, round(b.truth.stats.DistanceM, 100)
	put(m, topicCounters, "", c)
}

// staticOf is what of the world stays, the floor sensors in the robot's frame.
func staticOf(v *sim.View) worldStatic {
	w := worldStatic{Table: v.Table, Walls: v.Walls, BackMM: v.Robot.BackMM, Lacks: v.Robot.Lacks, LengthMM: v.Robot.LengthMM, WidthMM: v.Robot.WidthMM}
	for _, o := range v.Obstacles {
		w.Obstacles = append(w.Obstacles, control.WorldBox{Pose: roundPose(o.Pose), LengthMM: round(o.LengthMM, 10), WidthMM: round(o.WidthMM, 10)})
	}
	sin, cos := math.Sincos(v.Robot.HeadingRad)
	for _, c := range v.Cliffs {
		x, y := c[0]-v.Robot.XMM, c[1]-v.Robot.YMM
		w.Cliffs = append(w.Cliffs, [2]float64{round(x*cos+y*sin, 10), round(y*cos-x*sin, 10)})
	}
	return w
}

// makeTroubles says failures, slow hooks and warnings that changed.
func (m *maker) makeTroubles(b *raw) {
	if b.truth == nil {
		put(m, topicCounters, "", b.counters)
	}
	t := b.troubles
	if t == nil {
		return
	}
	failures := slices.Clone(t.Failures)
	for i := range failures {
		failures[i].LastS = round(failures[i].LastS, 1000)
	}
	m.set(topicTroubles, "failures", failuresValue{failures})
	m.set(topicTroubles, "slow_hooks", slowValue{t.SlowHooks})
	for _, w := range t.Warnings {
		key := "noted/" + w.Kind + "/" + w.What
		put(m, topicTroubles, key, w)
	}
	put(m, topicTroubles, "counts", t.TroubleCounts)
}

// makeTiming says the tick times about once a second.
func (m *maker) makeTiming(b *raw) {
	t := &m.timing
	t.AtS = append(t.AtS, seconds(b.at))
	t.DurationUS = append(t.DurationUS, round(float64(b.duration)/1e3, 1))
	t.LateUS = append(t.LateUS, round(float64(b.lateness)/1e3, 1))
	t.Missed, t.Skipped = b.missed, b.skipped
	if second := int64(b.at.Seconds()); second != m.second || b.tick == 1 {
		m.second = second
		m.say(topicTiming, "", *t)
		t.AtS, t.DurationUS, t.LateUS = t.AtS[:0], t.DurationUS[:0], t.LateUS[:0]
	}
}
