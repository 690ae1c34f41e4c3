package actions_test

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// Blink closes the eyes for a moment.
type Blink struct{ until time.Time }

func (b *Blink) Name() string           { return "Blink" }
func (b *Blink) Type() actions.Type     { return actions.TypeDisplayFaceImage }
func (b *Blink) Tracks() actions.Tracks { return actions.Face }

func (b *Blink) Init(env *actions.Env) actions.Result {
	env.Send(hardware.ShowFace{Face: "blink"})
	b.until = env.Now.Add(100 * time.Millisecond)
	return actions.Success
}

func (b *Blink) CheckIfDone(env *actions.Env) actions.Result {
	if env.Now.After(b.until) {
		return actions.Success
	}
	return actions.Running
}

// An action is queued once and stepped by every update until it ends.
func Example() {
	now := time.Unix(0, 0)
	list := actions.NewList(actions.Direct{}, now)
	if _, err := list.Queue(&Blink{}, actions.QueueOptions{Owner: "Idle"}); err != nil {
		fmt.Println(err)
	}
	for tick := range 4 {
		env := actions.Env{
			Now:   now.Add(time.Duration(tick) * 60 * time.Millisecond),
			World: &hardware.World{},
			Send: func(c hardware.Command) {
				fmt.Printf("tick %d: %s gets %s\n", tick, c.Target(), c.(hardware.ShowFace).Face)
			},
		}
		for _, c := range list.Update(&env) {
			fmt.Printf("tick %d: %s of %s: %s\n", tick, c.Name, c.Owner, c.Result)
		}
	}
	// Output:
	// tick 0: display gets blink
	// tick 2: Blink of Idle: SUCCESS
}
