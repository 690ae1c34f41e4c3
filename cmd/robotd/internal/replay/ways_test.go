package replay_test

import (
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/hardware"
)

// trip drives to a pose once, if it may.
type trip struct {
	may, done bool
	at        time.Time
	result    actions.Result
	took      time.Duration
}

func (*trip) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (b *trip) WantsToBeActivated(c *behaviors.Control) bool {
	return b.may && c.Tick() > 50 && !b.done
}

func (b *trip) OnActivated(c *behaviors.Control) {
	b.at = c.Now()
	c.Act(motion.NewDriveToPose(motion.PoseParams{Goal: hardware.Pose{XMM: 300, YMM: 40}, AllowOnCharger: true}),
		func(c *behaviors.Control, o behaviors.Outcome) {
			b.done, b.result, b.took = true, o.Completion.Result, c.Now().Sub(b.at)
			c.CancelSelf()
		})
}

func tripClass(b *trip) behaviors.Class {
	return behaviors.Class{Name: "Trip", Doc: "Drives.", New: func(*behaviors.Config) behaviors.Behavior { return b }}
}

func tripTree() fs.FS {
	return fstest.MapFS{
		catalog.BootFile:      {Data: []byte(`{"normalBaseBehavior": "Base", "fallbackBehavior": "Safe", "userIntents": []}`)},
		"behaviors/Base.json": {Data: []byte(`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["Trip"]}`)},
		"behaviors/Safe.json": {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "Safe"}`)},
		"behaviors/Trip.json": {Data: []byte(`{"behaviorClass": "Trip", "behaviorID": "Trip"}`)},
	}
}

// A drive that only the changed side makes has its way in the next tick and gives orders to the wheels. That they do not turn, because the recorded
// robot stood, is what ends it, and not a plan that never comes.
func TestChangedSidePlansWaysThatTheRecordingLacks(t *testing.T) {
	s := newStudio(t, tripTree())
	if _, err := headless.Run(t.Context(), s.options(catalogOf(t, s.tree, tripClass(&trip{})), 1), headless.Options{For: 15 * time.Second}); err != nil {
		t.Fatal(err)
	}
	b := &trip{may: true}
	tell, err := replay.Tell(opened(t, s.write(t)), catalogOf(t, s.tree, tripClass(&trip{})), catalogOf(t, s.tree, tripClass(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !b.done || b.result == actions.PathPlanningFailedAbort || b.took > 3*time.Second {
		t.Errorf("it ended: %t, with %v after %v", b.done, b.result, b.took)
	}
	if tell.Moved == nil || tell.First == nil || tell.Moved.Tick > tell.First.Tick+3 {
		t.Errorf("first %+v, moved %+v", tell.First, tell.Moved)
	}
}
