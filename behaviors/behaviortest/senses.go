package behaviortest

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Snapshot makes the readings of one instant.
func (b *Body) Snapshot(now time.Time) hardware.Snapshot {
	b.seq++
	contacts := b.contacts()
	if b.speaker.Busy && !now.Before(b.soundEnds) {
		b.speaker.Busy = false
	}
	if b.Touched != b.touching {
		b.touching, b.touchedAt = b.Touched, now
	}
	s := hardware.Snapshot{Now: now}
	put := func(device string, value any) {
		s.Put(&hardware.Sample{Device: device, Seq: b.seq, At: now, Quality: hardware.OK, Value: value})
		if q, broken := b.Broken[device]; broken {
			s.Degrade(device, q)
		}
	}
	put(hardware.Battery, b.battery(contacts))
	put(hardware.Charger, hardware.ChargerState{OnContacts: contacts, Charging: contacts && !b.Charged})
	put(hardware.Cliff, b.cliff())
	put(hardware.Display, b.display)
	put(hardware.IMU, b.imu())
	put(hardware.Lights, b.lights)
	motors := b.motors
	motors.Edgeless = b.Edgeless
	put(hardware.Motors, motors)
	put(hardware.Range, b.ahead())
	put(hardware.Servos, b.servos)
	put(hardware.Speaker, b.speaker)
	put(hardware.Touch, hardware.TouchState{Touched: b.Touched, Since: b.touchedAt})
	put(hardware.Vision, b.see(now))
	return s
}

func (b *Body) contacts() bool {
	if b.Held || b.Charger == nil {
		return b.Plugged && !b.Held
	}
	sin, cos := math.Sincos(b.Charger.HeadingRad)
	dock := hardware.Pose{XMM: b.Charger.XMM + dockOffsetMM*cos, YMM: b.Charger.YMM + dockOffsetMM*sin}
	gap, _ := b.To(dock.XMM, dock.YMM)
	return b.Plugged || gap <= dockTolMM && math.Abs(hardware.WrapRad(b.HeadingRad-b.Charger.HeadingRad)) < 12*rad
}

func (b *Body) battery(contacts bool) hardware.BatteryState {
	amps := -0.3
	if contacts {
		amps = 0.8
	}
	return hardware.BatteryState{Volts: b.Volts, Amps: amps, Ratio: 0.5}
}

func (b *Body) cliff() hardware.CliffState {
	s := hardware.CliffState{Detected: b.edges()}
	for i, d := range s.Detected {
		if !d {
			s.Raw[i] = 800
		}
	}
	return s
}

func (b *Body) imu() hardware.IMUState {
	s := hardware.IMUState{AccelMMPS2: [3]float64{0, 0, gravity}, PeakAccelMMPS2: gravity, YawRad: b.yaw}
	s.GyroRadPS[2] = (b.motors.RightMMPS - b.motors.LeftMMPS) / treadMM
	if b.Held { // tilted by 10°
		s.AccelMMPS2 = [3]float64{gravity * math.Sin(10*rad), 0, gravity * math.Cos(10*rad)}
		s.PitchRad = 10 * rad
	}
	if b.Shaken {
		s.PeakAccelMMPS2 = 30000
	}
	return s
}

func (b *Body) ahead() hardware.RangeState {
	if b.WallXMM == 0 || math.Cos(b.HeadingRad) <= 0 {
		return hardware.RangeState{DistanceMM: 1200}
	}
	d := (b.WallXMM-b.XMM)/math.Cos(b.HeadingRad) - 35
	return hardware.RangeState{DistanceMM: math.Max(30, d), Found: d < 400}
}

// heard is the music, with a beat each 60/TempoBPM seconds of the clock.
func (b *Body) heard(now time.Time) hardware.Music {
	m := hardware.Music{Beat: b.Music, TempoBPM: b.TempoBPM}
	if p := m.Period(); p > 0 {
		m.BeatAt = now.Truncate(p)
	}
	return m
}

func (b *Body) see(now time.Time) hardware.Detections {
	d := hardware.Detections{
		CapturedAt: now, CubeConnected: b.Cube, Carrying: b.Carrying || b.carried != 0, CarriedID: b.carried, Objects: b.seeCubes(), Music: b.heard(now),
	}
	for _, p := range b.People {
		if distance, bearing := b.To(p.XMM, p.YMM); math.Abs(bearing) <= viewRad {
			d.Faces = append(d.Faces, hardware.Face{ID: p.ID, Name: p.Name, DistanceMM: distance, BearingRad: bearing, ElevationRad: 20 * rad})
		}
	}
	if b.Charger != nil && b.servos.HeadRad < 16*rad {
		if distance, bearing := b.To(b.Charger.XMM, b.Charger.YMM); math.Abs(bearing) <= viewRad {
			d.Objects = append(d.Objects, hardware.Object{
				ID: 1, Kind: hardware.KindCharger, DistanceMM: distance, BearingRad: bearing,
				HeadingRad: hardware.WrapRad(b.Charger.HeadingRad - b.HeadingRad),
			})
		}
	}
	return d
}
