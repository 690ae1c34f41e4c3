package faultmatrix

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

func TestX(t *testing.T) {
	devs := []string{"motors", "servos", "lights", "cliff", "range", "imu", "battery", "touch", "charger", "display"}
	cat := shipped(t)
	begin := time.Now()
	n := 0
	for _, d := range devs {
		for _, k := range sim.Kinds() {
			n++
			func() {
				tt := &fake{TB: t}
				r := start(tt, cat, sim.Options{Seed: 7, BatteryRatio: 1}, 0)
				var id uint64
				var ticks int
				ok := r.until(tick, 120*time.Second, func() bool {
					for _, c := range r.log.commands {
						if dr, ok := c.(hardware.Drive); ok && dr.Kind == hardware.Straight && !dr.Retreat && dr.DistanceMM > 150 {
							if dr.ID == id {
								ticks++
							} else {
								id, ticks = dr.ID, 0
							}
						}
					}
					return ticks == 8 && r.rig.Stats().DistanceM > 0.2 && !r.log.world.Body.OnPlatform
				})
				if !ok {
					fmt.Println(d, k, "never drove")
					return
				}
				ticks = -1000
				at0 := r.now()
				r.run(time.Duration((n*7)%59) * time.Millisecond)
				t0 := r.now()
				was := *r.log.devices[d]
				others := map[string]int{}
				for _, x := range hardware.Names {
					others[x] = r.log.devices[x].Failures
				}
				r.log.forgive()
				if err := r.rig.Fault(d, k, 2*time.Second); err != nil {
					tt.done()
					return
				}
				if d == "motors" && k == "brownout" {
					r.pins.powerLoss()
				}
				var m motion
				m.sample(r)
				for range 2000 {
					r.run(time.Millisecond)
					m.sample(r)
				}
				off, okOff := r.pins.offSince(t0)
				still, way, okStill := m.stillAt(off)
				_ = still
				end := r.now()
				dist := r.rig.Stats().DistanceM
				moved := r.until(tick, 60*time.Second, func() bool { return r.rig.Stats().DistanceM > dist+0.03 })
				movedAt := r.now().Sub(end)
				r.run(max(0, 15*time.Second-movedAt))
				var healed time.Duration
				col := ""
				for _, x := range hardware.Names {
					healed = max(healed, r.log.troubled[x].Sub(end))
					if x != d && (r.log.devices[x].Failures > others[x] || r.log.worst[x] != hardware.OK) {
						col += fmt.Sprintf(" !%s %d %v", x, r.log.devices[x].Failures-others[x], r.log.worst[x])
					}
				}
				l := r.log.devices[d].since(was)
				first, okF := r.log.firstNotable(d, t0)
				fd := time.Duration(-1)
				if okF {
					fd = first.Sub(t0)
				}
				fmt.Printf("%-8s %-8s start %5.1f off %v %-7v still %v %-6v %4.1fmm driven500 %-6v driven2s %-6v| seen %-7v err %d retr %d rein %d rej %d fro %d fail %d %v rest %d worst %v | healed %-6v moved %v %v %s\n", d, k, at0.Sub(epoch()).Seconds(), okOff, off.Sub(t0), okStill, still.Sub(off), way,
					r.pins.drivenIn(t0, t0.Add(500*time.Millisecond)), r.pins.drivenIn(t0.Add(311*time.Millisecond), t0.Add(2*time.Second)),
					fd, l.Errors, l.Retries, l.Reinits, l.Rejected, l.Frozen, l.Failures, l.Causes, l.Restarts, r.log.worst[d], healed, moved, movedAt, col)
				if l.Failures > 0 {
					fmt.Println("      ", l.Texts[0], "|", l.Texts[len(l.Texts)-1])
				}
				tt.done()
			}()
		}
	}
	fmt.Println(time.Since(begin))
}

type fake struct {
	testing.TB
	f []func()
}

func (f *fake) Cleanup(g func()) { f.f = append(f.f, g) }
func (f *fake) done() {
	for _, g := range f.f {
		g()
	}
}
func (f *fake) Helper() {}
func (f *fake) Errorf(s string, a ...any) { fmt.Printf("   ERR "+s+"\n", a...) }
func (f *fake) Error(a ...any)            { fmt.Println("   ERR", a) }
