package observing

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

type placeParams struct {
	Params placeKeys `key:"params" doc:"how it looks around"`
}

// noTrigger is the word of files for no animation.
const noTrigger = "Count"

type placeKeys struct {
	Distance    float64     `key:"behavior_DistanceFromRecentLocationMin_mm" range:"0..10000" doc:"how far from a place where it finished it looks around again"`
	Remembers   int         `key:"behavior_RecentLocationsMax" range:"0..255" doc:"how many such places it remembers"`
	Cone        param.Angle `key:"behavior_AngleOfFocus_deg" range:"0..360" doc:"the cone that it looks at; 0 is all around"`
	Scans       int         `key:"behavior_NumberOfScansBeforeStop" range:"0..255" default:"0" why:"only a cone needs it" doc:"how often it looks over the cone; 0 is for ever"`
	Carries     bool        `key:"behavior_CanCarryCube" doc:"it may begin while it carries something"`
	Redraws     bool        `key:"behavior_ShouldResetTurnDirection" doc:"draw the main direction each time"`
	Refaces     bool        `key:"behavior_ResetBodyFacingOnStart" doc:"the cone is where it looks at the beginning, and not where it was put down"`
	LowersLift  bool        `key:"behavior_ShouldLowerLift" doc:"lower the lift first"`
	LocksTreads bool        `key:"behavior_LockTreadsDuringWaitAnims" default:"false" why:"an animation plays whole" doc:"animations of pauses do not move the body"`
	Clockwise   float64     `key:"s0_MainTurnCWChance" range:"0..1" doc:"the chance that the main direction is to the right"`

	Body1 param.Span `key:"s1_BodyAngleRangeMin_deg,s1_BodyAngleRangeMax_deg" doc:"a glance against the main direction"`
	Head1 param.Span `key:"s1_HeadAngleRangeMin_deg,s1_HeadAngleRangeMax_deg" doc:"the head at it"`

	Wait2    param.Times `key:"s2_WaitMin_sec,s2_WaitMax_sec" doc:"the pause after it"`
	Trigger2 string      `key:"s2_WaitAnimTrigger" doc:"the animation of the pause; Count is none"`

	Body3 param.Span `key:"s3_BodyAngleRangeMin_deg,s3_BodyAngleRangeMax_deg" doc:"the main turn, from the start of the iteration"`
	Head3 param.Span `key:"s3_HeadAngleRangeMin_deg,s3_HeadAngleRangeMax_deg" doc:"the head at it"`

	Body4    param.Span   `key:"s4_BodyAngleRelativeRangeMin_deg,s4_BodyAngleRelativeRangeMax_deg" doc:"the body at a look up or down, either way"`
	Head4    param.Span   `key:"s4_HeadAngleRangeMin_deg,s4_HeadAngleRangeMax_deg" doc:"the head at it"`
	Looks4   param.Counts `key:"s4_HeadAngleChangesMin,s4_HeadAngleChangesMax" range:"0..255" doc:"how many looks there are"`
	Wait4    param.Times  `key:"s4_WaitBetweenChangesMin_sec,s4_WaitBetweenChangesMax_sec" doc:"the pause before each"`
	Trigger4 string       `key:"s4_WaitAnimTrigger" doc:"the animation of these pauses; Count is none"`

	Body5 param.Span `key:"s5_BodyAngleRelativeRangeMin_deg,s5_BodyAngleRelativeRangeMax_deg" doc:"the body at the look down, either way"`
	Head5 param.Span `key:"s5_HeadAngleRangeMin_deg,s5_HeadAngleRangeMax_deg" doc:"the head at it"`

	Body6 param.Span `key:"s6_BodyAngleRangeMin_deg,s6_BodyAngleRangeMax_deg" doc:"the last turn, from the start of the iteration"`
	Head6 param.Span `key:"s6_HeadAngleRangeMin_deg,s6_HeadAngleRangeMax_deg" doc:"the head at it"`

	BodySpeed param.Angle `key:"sx_BodyTurnSpeed_degPerSec" unit:"deg" range:"0..300" default:"0" why:"motionProfile may say so" doc:"how fast the body turns"`
	HeadTurns param.Angle `key:"sxt_HeadTurnSpeed_degPerSec" unit:"deg" range:"0..1000" default:"0" why:"motionProfile may say so" doc:"how fast the head is in turns; the faster of both counts here"`
	HeadSpeed param.Angle `key:"sxh_HeadTurnSpeed_degPerSec" unit:"deg" range:"0..1000" default:"0" why:"motionProfile may say so" doc:"how fast the head is in looks"`
	Profile   *anyKeys    `key:"motionProfile" default:"none" why:"the three speeds say the same" doc:"other speeds in place of the three; accepted without effect"`
}

// anyKeys are accepted whatever they are.
type anyKeys struct{}

// Check accepts all keys.
func (*anyKeys) Check(o *resources.Object, _ *behaviors.Config) { o.Declare(o.Keys()...) }

// Check finds what is missing because of what is there.
func (p *placeKeys) Check(o *resources.Object, _ *behaviors.Config) {
	for _, key := range []string{"sx_BodyTurnSpeed_degPerSec", "sxt_HeadTurnSpeed_degPerSec", "sxh_HeadTurnSpeed_degPerSec"} {
		switch has := o.Has(key); {
		case has && p.Profile != nil:
			o.KeyErrorf(key, "key-conflict", "motionProfile has the speeds; remove one of the two")
		case !has && p.Profile == nil:
			o.Errorf(o.Pos(), resources.CodeKeyRequired, "required key %q is missing in params: there is no motionProfile", key)
		}
	}
	if p.Cone != 0 && !o.Has("behavior_NumberOfScansBeforeStop") {
		o.Errorf(o.Pos(), resources.CodeKeyRequired, `required key "behavior_NumberOfScansBeforeStop" is missing in params: there is a cone`)
	}
	p.HeadSpeed = max(p.HeadSpeed, p.HeadTurns)
}
