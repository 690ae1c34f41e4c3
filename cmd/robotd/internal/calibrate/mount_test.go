package calibrate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/calibrate"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// All 24 ways to mount a sensor at right angles.
func mounts() (all [][3]string) {
	axes := []string{"x", "-x", "y", "-y", "z", "-z"}
	for _, f := range axes {
		for _, l := range axes {
			for _, u := range axes {
				if m := [3]string{f, l, u}; profile.MountOf(m).Check(profile.R1()) == nil {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

func TestMountIsLearntByGravityAndATurn(t *testing.T) {
	all := mounts()
	if len(all) != 24 {
		t.Fatalf("%d ways to mount a sensor", len(all))
	}
	for _, robot := range []string{"sim", "waveshare-ugv"} {
		for i, m := range all {
			if robot != "sim" && i%6 != 0 {
				continue
			}
			// The profile is wrong about the mount.
			b, rig, kept := benchOf(t, robot, sim.Options{Seed: uint64(i + 1), Mount: m}, func(p *profile.Profile) {
				imu := *p.IMU
				imu.Mount = all[(7*i+5)%len(all)]
				p.IMU = &imu
			})
			if err := run(t, b, "mount"); err != nil {
				t.Fatal(robot, m, err)
			}
			got, err := kept.Mount([3]string{})
			if truth := rig.Truth(); err != nil || got != truth.Mount {
				t.Errorf("%s: learnt %v, it is %v (%v)", robot, got, truth.Mount, err)
			}
			for k, axis := range got {
				want := rig.Truth().GyroRadPS[axis[len(axis)-1]-'x']
				if axis[0] == '-' {
					want = -want
				}
				near(t, *kept, "gyro_radps("+string("xyz"[k])+")", want, 0.002)
			}
		}
	}
}

func TestGyroscopeBehindASerialPortLearnsItsOffsetAndTheTurn(t *testing.T) {
	b, rig, kept := benchOf(t, "waveshare-ugv", sim.Options{Seed: 3}, func(p *profile.Profile) { p.Drive.TreadMM *= 0.9 })
	if err := run(t, b, "track"); err != nil { // without the step gyro before it
		t.Fatal(err)
	}
	if err := run(t, b, "gyro"); err != nil {
		t.Fatal(err)
	}
	near(t, *kept, "gyro_radps(z)", rig.Truth().GyroRadPS[2], 0.002)
	near(t, *kept, "tread_mm", rig.Truth().TreadMM, 0.03*172)
}

func TestRobotThatIsNotTiltedOrTurnedAsAskedTeachesNothing(t *testing.T) {
	for _, c := range []struct {
		do   func(calibrate.Job) calibrate.Job
		want string
	}{
		{func(j calibrate.Job) calibrate.Job {
			return map[calibrate.Job]calibrate.Job{calibrate.TurnLeft: calibrate.TurnLeft}[j]
		}, "mount: with the nose up gravity is"},
		{func(j calibrate.Job) calibrate.Job {
			if j == calibrate.TurnLeft {
				return calibrate.Rest
			}
			return j
		}, "mount: the gyroscope felt a turn of "},
		{func(j calibrate.Job) calibrate.Job {
			if j == calibrate.Rest {
				return calibrate.NoseUp
			}
			return j
		}, "mount: gravity is "},
	} {
		b, _, kept := bench(t, 1, nil)
		b.Operator = odd{Operator: b.Operator, do: c.do}
		if err := run(t, b, "mount"); err == nil || !strings.HasPrefix(err.Error(), c.want) || len(*kept) != 0 {
			t.Errorf("%v, kept %v; want %s", err, *kept, c.want)
		}
	}
}

func TestTurnToTheRightIsToldApart(t *testing.T) {
	b, rig, kept := bench(t, 1, nil)
	b.Operator = odd{Operator: &calibrate.Person{World: right{rig}, Out: b.Out}}
	if err := run(t, b, "mount"); err == nil || !strings.Contains(err.Error(), "degrees to the right") || len(*kept) != 0 {
		t.Errorf("%v, kept %v", err, *kept)
	}
}

// right is a world in which a person takes right for left.
type right struct{ *sim.Rig }

func (r right) Hold(pitch, yaw float64) { r.Rig.Hold(pitch, -math.Abs(yaw)) }
