package facts

import (
	"math"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// Shapes that Foxglove knows by the name of their schema, in meters. The robot's parts lie in the frame "robot", whose place in the frame
// "world" is the topic /tf, so that a driving robot does not repeat its parts.
const (
	frameWorld = "world"
	frameRobot = "robot"
)

type stamp struct {
	Sec  int64 `json:"sec"`
	Nsec int64 `json:"nsec"`
}

func stampOf(t time.Time) stamp { return stamp{t.Unix(), int64(t.Nanosecond())} }

type vector3 struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

type quaternion struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
	W float64 `json:"w"`
}

type pose3 struct {
	Position    vector3    `json:"position"`
	Orientation quaternion `json:"orientation"`
}

// turned is a rotation about the vertical.
func turned(rad float64) quaternion {
	return quaternion{Z: round(math.Sin(rad/2), 1e4), W: round(math.Cos(rad/2), 1e4)}
}

func meters(mm float64) float64 { return round(mm/1000, 1e4) }

func poseOf(p hardware.Pose, zMM float64) pose3 {
	return pose3{vector3{meters(p.XMM), meters(p.YMM), meters(zMM)}, turned(p.HeadingRad)}
}

// A transform is a foxglove.FrameTransform.
type transform struct {
	Timestamp   stamp      `json:"timestamp"`
	ParentFrame string     `json:"parent_frame_id"`
	ChildFrame  string     `json:"child_frame_id"`
	Translation vector3    `json:"translation"`
	Rotation    quaternion `json:"rotation"`
}

// A sceneUpdate is a foxglove.SceneUpdate of one entity.
type sceneUpdate struct {
	Deletions []sceneDeletion `json:"deletions"`
	Entities  []sceneEntity   `json:"entities"`
}

type sceneDeletion struct {
	Timestamp stamp  `json:"timestamp"`
	Type      int    `json:"type"` // 0: the entity of that ID
	ID        string `json:"id"`
}

type sceneEntity struct {
	Timestamp   stamp        `json:"timestamp"`
	FrameID     string       `json:"frame_id"`
	ID          string       `json:"id"`
	Lifetime    stampSpan    `json:"lifetime"` // zero: until it is replaced
	FrameLocked bool         `json:"frame_locked"`
	Metadata    []struct{}   `json:"metadata"`
	Arrows      []sceneArrow `json:"arrows"`
	Cubes       []sceneCube  `json:"cubes"`
	Spheres     []sceneCube  `json:"spheres"`
	Cylinders   []struct{}   `json:"cylinders"`
	Lines       []sceneLine  `json:"lines"`
	Triangles   []struct{}   `json:"triangles"`
	Texts       []sceneText  `json:"texts"`
	Models      []struct{}   `json:"models"`
}

type stampSpan struct {
	Sec  int64 `json:"sec"`
	Nsec int64 `json:"nsec"`
}

type color struct {
	R float64 `json:"r"`
	G float64 `json:"g"`
	B float64 `json:"b"`
	A float64 `json:"a"`
}

type sceneCube struct {
	Pose  pose3   `json:"pose"`
	Size  vector3 `json:"size"`
	Color color   `json:"color"`
}

type sceneArrow struct {
	Pose          pose3   `json:"pose"`
	ShaftLength   float64 `json:"shaft_length"`
	ShaftDiameter float64 `json:"shaft_diameter"`
	HeadLength    float64 `json:"head_length"`
	HeadDiameter  float64 `json:"head_diameter"`
	Color         color   `json:"color"`
}

type sceneLine struct {
	Type           int       `json:"type"` // 0 strip, 1 loop, 2 list
	Pose           pose3     `json:"pose"`
	Thickness      float64   `json:"thickness"`
	ScaleInvariant bool      `json:"scale_invariant"`
	Points         []vector3 `json:"points"`
	Color          color     `json:"color"`
	Colors         []color   `json:"colors"`
	Indices        []uint32  `json:"indices"`
}

type sceneText struct {
	Pose           pose3   `json:"pose"`
	Billboard      bool    `json:"billboard"`
	FontSize       float64 `json:"font_size"`
	ScaleInvariant bool    `json:"scale_invariant"`
	Color          color   `json:"color"`
	Text           string  `json:"text"`
}

// Colors of the scene.
var (
	wood   = color{0.62, 0.47, 0.33, 1}
	shell  = color{0.25, 0.28, 0.33, 1}
	plate  = color{0.35, 0.55, 0.75, 0.9}
	block  = color{0.9, 0.65, 0.2, 1}
	person = color{0.85, 0.6, 0.5, 1}
	floor  = color{0.3, 0.75, 0.4, 1}
	edge   = color{0.9, 0.2, 0.2, 1}
	blind  = color{0.5, 0.5, 0.5, 1}
	level  = pose3{Orientation: quaternion{W: 1}}
)

// Sizes of what is drawn, in millimeters.
const (
	robotHigh = 60
	cubeSide  = 44
	chargerMM = 90
	headHigh  = 400 // of a person
)

// entity is an empty entity; Foxglove wants every list.
func (m *maker) entity(id, frame string) sceneEntity {
	return sceneEntity{
		Timestamp: m.stamp, FrameID: frame, ID: id, FrameLocked: frame == frameRobot, Metadata: []struct{}{}, Arrows: []sceneArrow{}, Cubes: []sceneCube{},
		Spheres: []sceneCube{}, Cylinders: []struct{}{}, Lines: []sceneLine{}, Triangles: []struct{}{}, Texts: []sceneText{}, Models: []struct{}{},
	}
}

// draw puts one entity into the scene.
func (m *maker) draw(e sceneEntity) {
	m.set(topicScene, e.ID, sceneUpdate{Deletions: []sceneDeletion{}, Entities: []sceneEntity{e}})
}

func box(p pose3, lengthMM, widthMM, heightMM float64, c color) sceneCube {
	p.Position.Z += meters(heightMM / 2)
	return sceneCube{Pose: p, Size: vector3{meters(lengthMM), meters(widthMM), meters(heightMM)}, Color: c}
}

// drawStatic draws table, obstacles and the robot's shell.
func (m *maker) drawStatic(w *worldStatic) {
	table := m.entity("table", frameWorld)
	line := sceneLine{Type: 1, Pose: level, Thickness: 0.005, Points: []vector3{}, Color: wood, Colors: []color{}, Indices: []uint32{}}
	for _, p := range w.Table {
		line.Points = append(line.Points, vector3{X: meters(p[0]), Y: meters(p[1])})
	}
	table.Lines = append(table.Lines, line)
	for _, o := range w.Obstacles {
		table.Cubes = append(table.Cubes, box(poseOf(o.Pose, 0), o.LengthMM, o.WidthMM, robotHigh, wood))
	}
	m.draw(table)
	robot := m.entity("robot", frameRobot)
	robot.Cubes = append(robot.Cubes, box(level, w.LengthMM, w.WidthMM, robotHigh, shell))
	robot.Arrows = append(robot.Arrows, sceneArrow{
		Pose: pose3{vector3{Z: meters(robotHigh)}, quaternion{W: 1}}, ShaftLength: meters(w.LengthMM / 2), ShaftDiameter: 0.005,
		HeadLength: 0.02, HeadDiameter: 0.015, Color: plate,
	})
	m.draw(robot)
}

func (m *maker) drawCharger(p hardware.Pose) {
	e := m.entity("charger", frameWorld)
	e.Cubes = append(e.Cubes, box(poseOf(p, 0), chargerMM, chargerMM, 8, plate))
	m.draw(e)
}

func (m *maker) drawCubes(cubes []control.WorldCube) {
	e := m.entity("cubes", frameWorld)
	for _, p := range cubes {
		e.Cubes = append(e.Cubes, box(poseOf(p.Pose, p.BaseMM), cubeSide, cubeSide, cubeSide, block))
	}
	m.draw(e)
}

func (m *maker) drawPeople(faces []control.WorldFace) {
	e := m.entity("people", frameWorld)
	for _, f := range faces {
		at := poseOf(hardware.Pose{XMM: f.XMM, YMM: f.YMM}, headHigh)
		e.Spheres = append(e.Spheres, sceneCube{Pose: at, Size: vector3{0.18, 0.18, 0.22}, Color: person})
		at.Position.Z += 0.16
		e.Texts = append(e.Texts, sceneText{Pose: at, Billboard: true, FontSize: 0.05, Color: shell, Text: f.Name})
	}
	m.draw(e)
}

// drawCliffs draws a ray down from each floor sensor: green over the floor, red over an edge, gray if the sensors are blind.
func (m *maker) drawCliffs(at [][2]float64, detected [4]bool, seeing bool) {
	e := m.entity("cliffs", frameRobot)
	for i, p := range at {
		c := floor
		switch {
		case !seeing:
			c = blind
		case i < len(detected) && detected[i]:
			c = edge
		}
		x, y := meters(p[0]), meters(p[1])
		e.Lines = append(e.Lines, sceneLine{
			Pose: level, Thickness: 0.004, Points: []vector3{{x, y, 0.015}, {x, y, -0.03}}, Color: c, Colors: []color{}, Indices: []uint32{},
		})
	}
	m.draw(e)
}
