package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A HighLevelAI is the state machine that leads the robot through its day. Its transitions may name conditions on faces, cubes, the charger
// and on how long ago it did what.
type HighLevelAI struct {
	*StateMachine
	day dayParams
}

type dayParams struct {
	Socialize   time.Duration `key:"socializeKnownFaceCooldown_s" range:"0..86400" doc:"how long after socializing a face is interesting again"`
	Play        time.Duration `key:"playWithCubeCooldown_s" range:"0..86400" doc:"how long after playing a cube is interesting again"`
	PlayCharger time.Duration `key:"playWithCubeOnChargerCooldown_s" range:"0..86400" doc:"how long after it left the charger to play it may do so again"`
	NearMM      float64       `key:"maxFaceDistanceToSocialize_mm" range:"1..10000" doc:"a face farther away is not interesting"`
}

// States and timers that the conditions look at.
const (
	stateLeaving   = "ObservingDriveOffCharger"
	stateExploring = "Exploring"
	timerSocial    = "Socializing"
	timerCube      = "PlayingWithCube"
	// putDownBlock is the behavior that puts down what a state may not carry.
	putDownBlock = "PutDownBlock"
	// exploreAgain is how long after the end of exploring it begins again.
	exploreAgain = 2 * time.Minute
	// exploreAfter is how long any state lasts before exploring.
	exploreAfter = 10 * time.Second
)

// HighLevelAIClass is the class HighLevelAI.
func HighLevelAIClass() behaviors.Class {
	return behaviors.Class{
		Name: "HighLevelAI",
		Doc:  "A state machine with conditions on faces, cubes and cooldowns.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			h := &HighLevelAI{}
			cfg.Required("postBehaviorSuggestionResumeOverrides") // the machine itself does without
			h.StateMachine = NewStateMachine(cfg, h.conditions())
			if put := &h.params.PutDown; *put == "" {
				*put = putDownBlock
				cfg.MayDelegateTo(putDownBlock)
			}
			param.ReadConfig(cfg, &h.day)
			return h
		},
	}
}

// conditions are those that transitions may name.
func (h *HighLevelAI) conditions() map[string]condition.Condition {
	faces, markers := hardware.LookFor(hardware.SeeFaces, hardware.Low), hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	all := map[string]condition.Condition{}
	add := func(name string, look hardware.Look, test func(v *condition.View) bool) {
		all[name] = condition.FuncSeeing(name, look, test)
	}
	add("CloseFaceForSocializing", faces, h.closeFace)
	add("CloseCubeForPlaying", markers, h.closeCube)
	add("WantsToLeaveChargerForPlay", hardware.Look{}, h.leavesToPlay)
	add("ChargerLocated", markers, func(v *condition.View) bool {
		_, known := v.World.Charger()
		return known
	})
	add("ExploringCooldownMet", hardware.Look{}, h.exploresAgain)
	return all
}

// over reports whether a timer was reset longer ago than a cooldown; never is what a timer that was never reset says.
func over(v *condition.View, timer string, cooldown time.Duration, never bool) bool {
	at, ever := v.Timers[timer]
	if !ever {
		return never
	}
	return v.Now.Sub(at)*v.Faster() > cooldown
}

func (h *HighLevelAI) closeFace(v *condition.View) bool {
	if !over(v, timerSocial, h.day.Socialize, true) {
		return false
	}
	for i := range v.World.Faces {
		if v.World.Faces[i].DistanceMM < h.day.NearMM {
			return true
		}
	}
	return false
}

func (h *HighLevelAI) closeCube(v *condition.View) bool {
	if !over(v, timerCube, h.day.Play, true) {
		return false
	}
	for i := range v.World.Objects {
		if o := &v.World.Objects[i]; o.Kind == hardware.KindCube && o.Origin == v.World.Body.Origin {
			return true
		}
	}
	return false
}

func (h *HighLevelAI) leavesToPlay(v *condition.View) bool {
	ago, ever := h.leftAgo(stateLeaving, v.Now)
	return ever && ago*v.Faster() >= h.day.PlayCharger && over(v, timerCube, h.day.Play, false)
}

func (h *HighLevelAI) exploresAgain(v *condition.View) bool {
	ago, ever := h.leftAgo(stateExploring, v.Now)
	if !ever {
		ago = v.Now.Sub(h.began)
	}
	return h.inState(v.Now) >= exploreAfter && ago > exploreAgain
}
