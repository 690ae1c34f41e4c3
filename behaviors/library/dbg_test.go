package library_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/sim"
)

func TestDbgSoak(t *testing.T) {
	for seed := uint64(1); seed <= 24; seed++ {
		for _, rude := range []bool{false, true} {
			l := newLife(t, sim.Options{Seed: seed})
			rng := rand.New(rand.NewPCG(seed, 1))
			last, gap := time.Duration(0), time.Duration(0)
			docks := uint64(0)
			next := 20 * time.Second
			tags := []string{"come_here", "dance", "explore", "go_home", "look_at_me", "quiet", "sleep", "stop", "wake_up"}
			var recent []string
			l.trace = func(s string) { recent = append(recent, s); if len(recent) > 60 { recent = recent[1:] } }
			for {
				l.step()
				now := l.run.Clock.Now().Sub(hwtest.Start())
				if now > 2*time.Hour { break }
				if now%time.Second < tickTime {
				s := l.rig.Stats()
				if s.Falls > 0 { fmt.Println("FALL", seed, rude, now, recent[len(recent)-8:]); break }
				if s.Dockings != docks || s.OnContacts { docks = s.Dockings; last = now }
				if g := now - last; g > gap { gap = g
				if g > 25*time.Minute && g < 25*time.Minute+2*time.Second { fmt.Println("GAP", seed, rude, now, l.eng.View().World.Body.Battery); for _, r := range recent { fmt.Println("   ", r) } 
				for i := range l.eng.Stack().Layers() { id := l.eng.Stack().Layers()[i].Node().ID; fmt.Println(id, l.eng.Cell(id).State()) }
				v := l.rig.View(); fmt.Printf("%+v\n", v)
				 } }
				}
				if rude && now > next {
					next = now + time.Duration(10+rng.IntN(50))*time.Second
					switch k := rng.IntN(8); k {
					case 0: l.rig.PickUp()
						l.runFor(time.Duration(1+rng.IntN(6)) * time.Second)
						l.rig.PutDownHere()
					case 1: l.rig.Shake(2 * time.Second)
					case 2: l.rig.Touch(3 * time.Second)
					case 3: l.rig.ShowFace("Bob", 10*time.Second)
					case 4: l.rig.PushNearEdge()
					default: l.intent(tags[rng.IntN(len(tags))])
					}
				}
			}
			s := l.rig.Stats()
			fmt.Printf("seed %d rude %v: falls %d docks %d maxgap %v refused %v battery %.2f\n", seed, rude, s.Falls, s.Dockings, gap, l.refused, s.BatteryRatio)
		}
	}
}
