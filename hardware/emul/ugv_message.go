package emul

import (
	"fmt"
	"math"
	"time"
)

const degPerRad = 180 / math.Pi

func (b *UGV) inertia() (accel, gyro [3]float64) {
	if b.body.Inertia == nil {
		return [3]float64{0, 0, 9806.65}, gyro
	}
	return b.body.Inertia()
}

// base writes message 1001.
func (b *UGV) base(now time.Time) {
	if b.info == 0 {
		return
	}
	accel, gyro := b.inertia()
	if b.opt.ROS {
		raw := func(v, scale float64) int { return int(math.Round(clampTo(v*scale, math.MaxInt16))) }
		const a, g = 8192 / 9806.65, 16.4 * degPerRad
		text := fmt.Sprintf(`{"T":1001,"L":%.5g,"R":%.5g,"ax":%d,"ay":%d,"az":%d,"gx":%d,"gy":%d,"gz":%d,"mx":100,"my":0,"mz":-250,"odl":%d,"odr":%d,"v":%d`,
			b.speed[0], b.speed[1], raw(accel[0], a), raw(accel[1], a), raw(accel[2], a), raw(gyro[0], g), raw(gyro[1], g), raw(gyro[2], g),
			int(b.odometer[0]*100), int(b.odometer[1]*100), int(b.volts*100))
		b.print(now, text+b.addOn()+"}")
		return
	}
	l, r := b.speed[0], b.speed[1]
	if b.blink {
		l, r, b.blink = b.out[0], b.out[1], false
	}
	roll, pitch, yaw := b.angles(now, accel, gyro)
	b.print(now, fmt.Sprintf(`{"T":1001,"L":%.5g,"R":%.5g,"r":%.2f,"p":%.2f,"y":%.2f,"temp":41.5,"v":%.2f`, l, r, roll, pitch, yaw, b.volts)+b.addOn()+"}")
}

// addOn are the fields of a module. Those of the arm hide some of the board's own.
func (b *UGV) addOn() string {
	switch {
	case b.module == 2:
		return `,"pan":0,"tilt":0`
	case b.module == 1 && b.opt.ROS:
		return `,"ax":310.2,"ay":0.5,"az":230.1,"ab":0,"as":0,"ae":1.57,"at":3.14,"torB":0,"torS":0,"torE":0,"torH":0`
	case b.module == 1:
		return `,"x":310.2,"y":0.5,"z":230.1,"b":0,"s":0,"e":1.57,"t":3.14,"torB":0,"torS":0,"torE":0,"torH":0`
	}
	return ""
}

// angles are roll, pitch and yaw in degrees.
func (b *UGV) angles(now time.Time, accel, gyro [3]float64) (roll, pitch, yaw float64) {
	b.yaw += gyro[2] * now.Sub(b.yawAt).Seconds()
	b.yawAt = now
	return math.Atan2(accel[1], accel[2]) * degPerRad, math.Atan2(accel[0], math.Hypot(accel[1], accel[2])) * degPerRad, math.Remainder(b.yaw, 2*math.Pi) * degPerRad
}

// inertial writes message 1002. The ROS firmware's angles are never updated.
func (b *UGV) inertial(now time.Time) {
	if b.opt.ROS {
		b.print(now, `{"T":1002,"r":0,"p":0,"y":0,"q0":1,"q1":0,"q2":0,"q3":0}`)
		return
	}
	accel, gyro := b.inertia()
	roll, pitch, yaw := b.angles(now, accel, gyro)
	const mg = 1000 / 9806.65
	b.print(now, fmt.Sprintf(`{"T":1002,"r":%.2f,"p":%.2f,"y":%.2f,"ax":%.2f,"ay":%.2f,"az":%.2f,"gx":%.2f,"gy":%.2f,"gz":%.2f,"mx":15,"my":0,"mz":-37.5,"temp":41.5}`,
		roll, pitch, yaw, accel[0]*mg, accel[1]*mg, accel[2]*mg, gyro[0]*degPerRad, gyro[1]*degPerRad, gyro[2]*degPerRad))
}
