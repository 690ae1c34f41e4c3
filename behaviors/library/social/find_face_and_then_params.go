package social

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

type thenParams struct {
	Look       time.Duration `key:"timeUntilCancelFaceLooking_s" doc:"how long it looks here"`
	SearchTime time.Duration `key:"timeUntilCancelFaceSearch_s" default:"0" why:"only a search needs it" doc:"how long it searches"`
	FollowTime time.Duration `key:"timeUntilCancelFollowup_s" range:"-1..86400" default:"-1" why:"the behavior ends by itself" doc:"how long the behavior has control; -1 is without limit"`
	Mic        bool          `key:"startsWithMicDirection" default:"true" why:"who calls is where the voice comes from" doc:"begin in the direction of a voice, if that is known"`
	Leave      bool          `key:"shouldLeaveChargerFirst" doc:"leave the charger before it looks"`
	DriveOff   string        `key:"driveOffChargerBehavior" delegate:"true" default:"" why:"it may look on the charger" doc:"leaves the charger"`
	Search     string        `key:"searchForFaceBehavior" delegate:"true" default:"" why:"it may look here only" doc:"searches if nobody is here"`
	Behavior   string        `key:"behavior" delegate:"true" default:"" why:"it may end with the face" doc:"gets control once a face is found"`
	Gives      bool          `key:"callSetFaceOnBehavior" default:"true" why:"the behavior deals with the face that was found" doc:"tell the behavior which face it is, if its class takes one"`
	Exit       bool          `key:"exitOnceFound" default:"false" why:"most look for somebody to do something" doc:"end once a face is found"`
	Always     bool          `key:"alwaysDetectFaces" default:"false" why:"eyes cost power" doc:"look for faces while it only may be chosen, too"`
	Bodies     bool          `key:"useBodyDetector" default:"true" why:"a body has a face" doc:"look longer if a body is seen"`
	MoreLook   time.Duration `key:"additionalLookTimeIfSawBody_s" default:"0" why:"only bodies need it" doc:"how much longer it looks then"`
	MoreSearch time.Duration `key:"additionalSearchTimeIfSawBody_s" default:"0" why:"only bodies need it" doc:"how much longer it searches then"`
	Upper      float64       `key:"upperPortionLookUpPercent" default:"0.3" why:"faces are in the upper third of a body" doc:"the upper part of a body to look at, 0 to 1; the search there decides"`
	Sees       string        `key:"animWhenSeesFace" ref:"trigger" default:"" why:"turning shows it already" doc:"played when it sees a face"`
	Lingers    string        `key:"animWhileSearching" ref:"trigger" default:"" why:"looking needs no move" doc:"played while it looks here"`
}

// Check finds what is missing because of what is there.
func (p *thenParams) Check(o *resources.Object, _ *behaviors.Config) {
	if p.Exit == (p.Behavior != "") {
		o.KeyErrorf("behavior", "key-conflict", "give a behavior or exitOnceFound, one of the two")
	}
	p.Upper = min(max(p.Upper, 0), 1)
	for _, need := range []struct {
		on  bool
		key string
		why string
	}{
		{p.Leave, "driveOffChargerBehavior", "shouldLeaveChargerFirst"},
		{p.Search != "", "timeUntilCancelFaceSearch_s", "searchForFaceBehavior"},
		{p.Bodies, "additionalLookTimeIfSawBody_s", "useBodyDetector"},
		{p.Bodies, "additionalSearchTimeIfSawBody_s", "useBodyDetector"},
	} {
		if need.on && !o.Has(need.key) {
			o.Errorf(o.Pos(), resources.CodeKeyRequired, "required key %q is missing: %s needs it", need.key, need.why)
		}
	}
}
