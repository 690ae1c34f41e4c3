package look

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// Figures of a search. The pause, the way back and the head are those of the reference robot.
const (
	SearchPauseMin = 800 * time.Millisecond
	SearchPauseMax = 1200 * time.Millisecond
	searchHeadRad  = -5 * rad
	searchBackMM   = 20.0
	searchBackMMPS = 100.0
	// Two images agree on a place that differs less and is where the camera looks: what is believed of a cube that was taken for another one before
	// takes some images to change. They come within this time, even if one is missed.
	agreeMM     = 40.0
	sightRad    = 35 * rad
	confirmTime = time.Second
	// searchTurns bounds the looks from one place: once around.
	searchTurns = lookDirections
	// SearchMaxPlaces bounds the places that it drives to.
	SearchMaxPlaces = 6
	searchHere      = 60 * time.Second
	searchThere     = 45 * time.Second // for each other place
)

// SearchParams configure a Search.
type SearchParams struct {
	// ID is the object that is searched for; 0 is any one of Kind. Without both it looks at everything.
	ID   int
	Kind string
	// Places is how many other places it may drive to when all around here was looked at: 0 to 6.
	Places int
}

// A SearchPayload is the payload of a Search.
type SearchPayload struct {
	ObjectID int  // what it found; 0 nothing
	Recalled bool // it was where it had been seen last
	Looks    int  // how often it stood and looked
	Places   int  // how many places it drove to
}

// A Search looks for an object, and remembers where it looked. First it looks where the object was seen last, then it backs away a little and turns to
// where there is most that was not looked at lately ([hardware.World.Views]), and last it drives to places from which there is more to see, such
// as the ground behind a box. Equal worlds give equal searches; only the length of the pauses is random, by the seed.
//
// It ends with SUCCESS as soon as two images agree on where the object is, or, if nothing certain is searched for, when all was looked at; with
// VISUAL_OBSERVATION_FAILED when all was looked at in vain; with SEND_MESSAGE_TO_ROBOT_FAILED without eyes, INVALID_OFF_TREADS_STATE when it is lifted, and
// TIMEOUT after a minute and 45 s for each other place. Where it must not turn it only looks ahead. A cube in the lift is not found.
type Search struct {
	params SearchParams
	sub    actions.SubAction
	phase  searchPhase
	since  time.Time // only later images count
	until  time.Time // end of the pause
	turns  int
	seen   hardware.KnownObject // by one image
	not    []hardware.Pose
	own    []hardware.View
	home   hardware.Pose // where it began
	known  bool          // and recalled
	out    SearchPayload
}

type searchPhase uint8

const (
	searchRecall searchPhase = iota // turns to where it was seen last, or only lowers the head
	searchPause                     // looks
	searchBack
	searchTurn
	searchDrive
	searchConfirm // stands, for another image of what it saw
)

var searchNames = [...]string{"looking where it was", "looking", "backing away", "turning", "driving to another place", "looking again"}

// NewSearch returns the action.
func NewSearch(p SearchParams) *Search {
	p.Places = min(max(p.Places, 0), SearchMaxPlaces)
	return &Search{params: p}
}

// Name is SearchForNearbyObject.
func (*Search) Name() string { return "SearchForNearbyObject" }

// Type is SEARCH_FOR_NEARBY_OBJECT.
func (*Search) Type() actions.Type { return actions.TypeSearchForNearbyObject }

// Tracks is body and head.
func (*Search) Tracks() actions.Tracks { return actions.Body | actions.Head }

// FailOffTreads is true.
func (*Search) FailOffTreads() bool { return true }

// Timeout is a minute, and more for other places.
func (s *Search) Timeout() time.Duration {
	return searchHere + time.Duration(s.params.Places)*searchThere
}

// Looks is markers (RUN-6).
func (*Search) Looks() hardware.Look { return hardware.LookFor(hardware.SeeMarkers, hardware.High) }

// Payload is a SearchPayload.
func (s *Search) Payload() any { return s.out }

// Status is the phase.
func (s *Search) Status() string { return searchNames[s.phase] }

// Init looks where the object was seen last, or ahead.
func (s *Search) Init(env *actions.Env) actions.Result {
	w := env.World
	switch {
	case !w.Vision.OK():
		return actions.SendMessageToRobotFailed
	case w.Body.Treads != hardware.OnTreads:
		return actions.InvalidOffTreadsState
	}
	s.since, s.phase, s.home = env.Now, searchRecall, w.Body.Pose
	o, ok := s.remembered(w)
	if s.known = ok && mayTurn(w) == ""; s.known {
		t := motion.ObjectTarget{ID: o.ID, Kind: o.Kind}
		place, _ := t.Find(w)
		t.ElevationRad = elevation(w, t, place)
		s.sub.Begin(env, motion.NewTurnTowards(motion.TowardsParams{Target: t}))
		return actions.Success
	}
	s.lowerHead(env)
	return actions.Success
}

func (s *Search) lowerHead(env *actions.Env) {
	s.sub.Begin(env, motion.NewMoveHead(motion.HeadParams{AngleRad: searchHeadRad}))
}

// remembered is what is searched for as it was seen last, the newest one of a kind.
func (s *Search) remembered(w *hardware.World) (hardware.KnownObject, bool) {
	id := s.params.ID
	if id == 0 && s.params.Kind != "" {
		o, _ := motion.ObjectTarget{Kind: s.params.Kind}.Object(w)
		id = o.ID
	}
	o, ok := w.Object(id)
	return o, ok && s.wants(w, &o)
}

// wants reports whether an object is what is searched for.
func (s *Search) wants(w *hardware.World, o *hardware.KnownObject) bool {
	switch {
	case o.Origin != w.Body.Origin, w.Body.Carrying && o.ID == w.Body.CarriedID:
		return false
	case s.params.ID != 0 && o.ID != s.params.ID, s.params.Kind != "" && o.Kind != s.params.Kind:
		return false
	}
	return s.params.ID != 0 || s.params.Kind != ""
}

// CheckIfDone looks, and goes on where there is most left to see.
func (s *Search) CheckIfDone(env *actions.Env) actions.Result {
	w := env.World
	if !w.Vision.OK() {
		return actions.VisualObservationFailed
	}
	if s.confirmed(env) {
		return actions.Success
	}
	if s.phase == searchConfirm && env.Now.Before(s.until) {
		return actions.Running
	}
	if s.phase == searchPause || s.phase == searchConfirm {
		if env.Now.Before(s.until) {
			return actions.Running
		}
		s.own = append(s.own, hardware.View{Pose: w.Body.Pose, At: env.Now})
		return s.next(env)
	}
	switch res := s.sub.Step(env); {
	case res == actions.Running, res.Category() == actions.CategoryCancelled, res == actions.SendMessageToRobotFailed && s.phase == searchTurn:
		return res
	case res != actions.Success && s.phase == searchDrive:
		s.not = append(s.not, w.Body.Pose)
		return s.next(env)
	}
	if s.phase == searchBack {
		return s.turn(env)
	}
	s.pause(env)
	return actions.Running
}

// confirmed reports whether two images agree on where the object is. A single one may be wrong, and one that was taken in motion is less exact, so the
// robot stops for the second one.
func (s *Search) confirmed(env *actions.Env) bool {
	w := env.World
	for i := range w.Objects {
		o := &w.Objects[i]
		if !o.SeenAt.After(s.since) || !s.wants(w, o) {
			continue
		}
		s.since = o.SeenAt
		_, bearing := w.Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
		if o.ID == s.seen.ID && math.Abs(bearing) <= sightRad && math.Hypot(o.Pose.XMM-s.seen.Pose.XMM, o.Pose.YMM-s.seen.Pose.YMM) <= agreeMM {
			s.out.ObjectID, s.out.Recalled = o.ID, s.known && s.out.Looks <= 1
			return true
		}
		s.seen = *o
		s.sub.Stop(env)
		s.phase, s.until = searchConfirm, env.Now.Add(confirmTime)
		return false
	}
	return false
}

// pause stands and looks for a while.
func (s *Search) pause(env *actions.Env) {
	s.phase = searchPause
	s.out.Looks++
	s.until = env.Now.Add(SearchPauseMin + time.Duration(env.Rand.Float64()*float64(SearchPauseMax-SearchPauseMin)))
}

// next is what follows a look.
func (s *Search) next(env *actions.Env) actions.Result {
	if mayTurn(env.World) != "" {
		return s.end()
	}
	if s.turns == 0 && s.out.Places == 0 && s.clearBehind(env.World) {
		s.phase = searchBack
		s.sub.Begin(env, motion.NewDriveStraight(motion.StraightParams{DistanceMM: -searchBackMM, SpeedMMPS: searchBackMMPS}))
		return actions.Running
	}
	return s.turn(env)
}

// clearBehind reports whether nothing that is known is in the way back.
func (*Search) clearBehind(w *hardware.World) bool {
	sin, cos := math.Sincos(w.Body.Pose.HeadingRad)
	back := hardware.Pose{XMM: w.Body.Pose.XMM - roomMM*cos, YMM: w.Body.Pose.YMM - roomMM*sin}
	for i := range w.Objects {
		if o := &w.Objects[i]; o.Origin == w.Body.Origin && math.Hypot(o.Pose.XMM-back.XMM, o.Pose.YMM-back.YMM) < roomMM {
			return false
		}
	}
	if w.Map == nil {
		return true
	}
	for i := range w.Map.Marks {
		if m := &w.Map.Marks[i]; math.Hypot(m.XMM-back.XMM, m.YMM-back.YMM) < roomMM+m.RadiusMM {
			return false
		}
	}
	return true
}

// turn turns to where there is most to see from here, or drives to where there is more.
func (s *Search) turn(env *actions.Env) actions.Result {
	around := newSurvey(env.World, s.home, s.params.ID, s.own)
	if turn, ok := around.direction(); ok && s.turns < searchTurns {
		s.turns++
		s.phase = searchTurn
		s.sub.Begin(env, motion.NewPanAndTilt(motion.PanTiltParams{BodyRad: turn, HeadRad: searchHeadRad, HeadOptional: true}))
		return actions.Running
	}
	if s.out.Places < s.params.Places && !env.World.Body.Carrying {
		if to, ok := around.viewpoint(s.not); ok {
			s.out.Places++
			s.turns, s.phase = 0, searchDrive
			s.not = append(s.not, to)
			s.sub.Begin(env, motion.NewDriveToPose(motion.PoseParams{Goal: to}))
			return actions.Running
		}
	}
	return s.end()
}

// end is the result when all was looked at.
func (s *Search) end() actions.Result {
	if s.params.ID != 0 || s.params.Kind != "" {
		return actions.VisualObservationFailed
	}
	return actions.Success
}

// Stop stops what moves.
func (s *Search) Stop(env *actions.Env) { s.sub.Stop(env) }

// Reset searches anew.
func (s *Search) Reset() { *s = Search{params: s.params} }
