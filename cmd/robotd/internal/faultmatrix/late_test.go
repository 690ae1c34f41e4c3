package faultmatrix

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// A driver notices some faults only later, or repairs them without noticing. These tests cover the matrix's unseen cells.

// TestWrongIdentityIsFoundAtOpen loses a chip for a moment; what is there when it is opened again is another one (class E).
func TestWrongIdentityIsFoundAtOpen(t *testing.T) {
	for _, device := range []string{hardware.IMU, hardware.Range} {
		t.Run(device, func(t *testing.T) {
			t.Parallel()
			r := start(t, setuptest.Catalog(t), alone(), tick)
			r.run(time.Second)
			r.inject(device, sim.KindWrongID, faultTime)
			r.inject(device, sim.KindUnplug, 60*time.Millisecond)
			r.run(faultTime)
			end := r.now()
			if causes := r.log.devices[device].Causes; !slices.Contains(causes, string(hardware.CauseWrongID)) {
				t.Errorf("failed for %q", causes)
			}
			if q := r.log.world.QualityOf(device); q != hardware.Failed {
				t.Errorf("%v with a foreign chip", q)
			}
			r.run(watchTime)
			if !r.log.calm(end.Add(healLimit)) || r.log.devices[device].Restarts == 0 {
				t.Errorf("not healed: %+v", r.log.devices[device])
			}
		})
	}
}

// TestLightsReturnAfterBrownOut has lights on when the chip loses its configuration, which the matrix does not ensure.
func TestLightsReturnAfterBrownOut(t *testing.T) {
	colors := [5]hardware.RGB{{R: 255}, {G: 255}, {B: 255}, {R: 80, G: 80}, {B: 9}}
	r := start(t, following(t, func(n int, env *actions.Env) {
		if n == settled {
			env.Send(hardware.SetLights{Colors: colors})
		}
	}), onTheTable(), tick)
	r.run(2 * settled * tick)
	if r.rig.Lights() != colors {
		t.Fatalf("%v", r.rig.Lights())
	}
	r.inject(hardware.Lights, sim.KindBrownout, 0)
	if r.rig.Lights() != [5]hardware.RGB{} {
		t.Error("the chip still has power")
	}
	r.run(200 * time.Millisecond)
	d := r.log.devices[hardware.Lights]
	if r.rig.Lights() != colors || d.Reinits != 1 || d.Failures != 0 {
		t.Errorf("%v, %+v", r.rig.Lights(), d)
	}
}

// refresh bounds how long a disturbed panel may show a wrong picture: a poll sets it up anew every 30 s.
const refresh = 30*time.Second + 100*time.Millisecond

// picture is what the panel shows.
type picture struct {
	bits [1024]byte
	lit  bool
}

func (r *robot) picture() (p picture) {
	p.bits, p.lit = r.rig.Frame()
	return p
}

// gallery returns a robot that shows the named face, and what two faces look like on a working panel.
func gallery(t *testing.T) (r *robot, face *string, happy, sad picture) {
	name := "happy"
	face = &name
	r = start(t, following(t, func(_ int, env *actions.Env) { env.Send(hardware.ShowFace{Face: name}) }), onTheTable(), tick)
	r.run(2 * time.Second)
	happy = r.picture()
	name = "sad"
	r.run(time.Second)
	sad = r.picture()
	name = "happy"
	r.run(time.Second)
	if !happy.lit || !sad.lit || happy == sad || r.picture() != happy {
		t.Fatal("the faces do not show")
	}
	return r, face, happy, sad
}

// TestUnreadableDisplayIsSetUpAgainPeriodically disturbs the panel. The driver cannot read it, so it sets it up anew every 30 s.
func TestUnreadableDisplayIsSetUpAgainPeriodically(t *testing.T) {
	t.Run(sim.KindBrownout, func(t *testing.T) {
		t.Parallel()
		r, _, happy, _ := gallery(t)
		r.inject(hardware.Display, sim.KindBrownout, 0)
		r.run(tick)
		if r.picture().lit {
			t.Error("still lit after a brown-out")
		}
		r.seesNothing(t)
		r.run(refresh)
		if r.picture() != happy {
			t.Error("the face is not back")
		}
	})
	t.Run(sim.KindAbsent, func(t *testing.T) {
		t.Parallel()
		r, face, happy, sad := gallery(t)
		r.inject(hardware.Display, sim.KindAbsent, faultTime)
		*face = "sad"
		r.run(faultTime)
		if shown := r.log.world.Display.Value.Face; shown != "sad" || r.picture() != happy {
			t.Errorf("the driver believes in %q; the old picture stands: %v", shown, r.picture() == happy)
		}
		r.seesNothing(t)
		r.run(refresh)
		if r.picture() != sad {
			t.Error("the new face does not show")
		}
	})
}

func (r *robot) seesNothing(t *testing.T) {
	t.Helper()
	if d := r.log.devices[hardware.Display]; d.Failures+int(d.Errors) > 0 || r.log.world.QualityOf(hardware.Display) != hardware.OK {
		t.Errorf("the driver noticed; the matrix should say so: %+v", d)
	}
}

// TestUnpluggedDisplayIsFoundByTheNextPicture unplugs the panel, which the next drawing finds (class G).
func TestUnpluggedDisplayIsFoundByTheNextPicture(t *testing.T) {
	r, face, _, sad := gallery(t)
	r.inject(hardware.Display, sim.KindUnplug, faultTime)
	*face = "sad"
	at := r.now()
	r.run(faultTime)
	d := r.log.devices[hardware.Display]
	if seen, ok := r.log.firstNotable(hardware.Display, at); !ok || seen.Sub(at) > 200*time.Millisecond {
		t.Errorf("seen %v after the order", seen.Sub(at))
	}
	if d.Failures == 0 || !slices.Equal(d.Causes, []string{string(hardware.CauseGone)}) {
		t.Errorf("%+v", d)
	}
	end := r.now()
	r.run(watchTime)
	if !r.log.calm(end.Add(healLimit)) || d.Restarts == 0 || r.picture() != sad {
		t.Errorf("not healed: %+v", d)
	}
}
