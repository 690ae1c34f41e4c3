package sim

// The battery is a lithium cell, or several alike in series, scaled so that a demonstration shows its whole life within minutes. Charge is
// counted in whole units, so that n steps at a constant load cost exactly n times one step, however they are divided.
const (
	fullUnits    = int64(1e15)
	batteryOhm   = 0.12
	chargingAmps = 0.8
	// idleAmps is what the electronics draw; drivingAmps what the robot draws when it drives at half duty.
	idleAmps, drivingAmps = 0.20, 0.36
	lowVolts              = 3.5
)

// restCurve is the voltage without load over the charge.
var restCurve = [...]struct{ ratio, volts float64 }{
	{0, 3.30}, {0.12, 3.55}, {0.30, 3.70}, {0.60, 3.82}, {0.85, 4.00}, {1, 4.20},
}

type battery struct {
	charge       int64   // 0 to fullUnits
	unitsPerStep float64 // an ampere costs in one step
	chargeStep   int64   // the charger gains in one step
	charging     bool    // on the contacts
	hot          bool    // the charger pauses
}

func newBattery(o Options, s noise) battery {
	ratio := o.BatteryRatio
	if ratio <= 0 || ratio > 1 {
		ratio = s.span(srcBattery, -1, 0.6, 1)
	}
	usable := 1 - restRatio(lowVolts+drivingAmps*batteryOhm)
	return battery{
		charge:       int64(ratio * float64(fullUnits)),
		unitsPerStep: usable * float64(fullUnits) * stepS / (drivingAmps * o.BatteryLife.Seconds()),
		chargeStep:   int64(float64(fullUnits) * stepS / o.ChargeTime.Seconds()),
	}
}

// spend performs n steps at a constant load. On the contacts the charger carries the load and charges the battery.
func (b *battery) spend(amps float64, n int64) {
	gain := -int64(amps * b.unitsPerStep)
	if b.charging {
		if gain = b.chargeStep; b.hot {
			gain = 0
		}
	}
	// Saturate before multiplying, because n may be large.
	switch room := fullUnits - b.charge; {
	case gain > 0 && n >= room/gain+1:
		b.charge = fullUnits
	case gain < 0 && n >= b.charge/-gain+1:
		b.charge = 0
	default:
		b.charge += gain * n
	}
}

func (b *battery) full() bool { return b.charge >= fullUnits }

func (b *battery) ratio() float64 { return float64(b.charge) / float64(fullUnits) }

// shine works out what electronics and lights draw.
func (w *world) shine() {
	w.lit = idleAmps
	for _, d := range w.lights {
		w.lit += 0.01 * d
	}
}

// amps is the load of the robot as a whole: electronics, lights, moving servos, motors. A motor's current follows from
// the difference between its drive and its speed, so a blocked wheel draws most.
func (w *world) amps() float64 {
	a := w.lit
	for i := range w.servos {
		if !w.servos[i].still() {
			a += 0.2
		}
	}
	for i := range w.wheels {
		m := &w.wheels[i]
		d := m.duty(w.powered)
		if d == 0 {
			continue
		}
		if d < 0 {
			a += 0.03 - 0.1*d
		} else {
			a += 0.03 + 0.1*d
		}
		if lack := d - m.speed/w.body.mmps; lack > 0 {
			a += 0.65 * lack
		} else {
			a -= 0.65 * lack
		}
	}
	return a
}

// power is what the monitor in the battery's lead measures: volts, and amperes into the battery.
func (w *world) power() (volts, amps float64) {
	b := &w.battery
	amps = -w.amps()
	if b.charging {
		amps = chargingAmps
		if b.full() || b.hot {
			amps = 0
		}
	}
	volts = min(restVolts(b.ratio())+amps*batteryOhm, 4.2)
	return w.cells() * (volts + 0.002*w.seed.bell(srcBattery, w.n)), amps + 0.002*w.seed.bell(srcBattery+1, w.n)
}

// cells is how many there are in series.
func (w *world) cells() float64 {
	if b := w.body.Battery; b != nil {
		return float64(b.Cells)
	}
	return 1
}

// emptyUnits is the charge at which somebody changes the battery of a robot without charger.
const emptyUnits = fullUnits * 3 / 100

// swap changes an empty battery that no charger charges.
func (w *world) swap() {
	if !w.body.World.Charger && w.battery.charge < emptyUnits {
		w.battery.charge = fullUnits
	}
}

func restVolts(ratio float64) float64 {
	for i := 1; i < len(restCurve); i++ {
		a, b := restCurve[i-1], restCurve[i]
		if ratio <= b.ratio {
			return a.volts + (b.volts-a.volts)*(ratio-a.ratio)/(b.ratio-a.ratio)
		}
	}
	return restCurve[len(restCurve)-1].volts
}

func restRatio(volts float64) float64 {
	for i := 1; i < len(restCurve); i++ {
		a, b := restCurve[i-1], restCurve[i]
		if volts <= b.volts {
			return a.ratio + (b.ratio-a.ratio)*(volts-a.volts)/(b.volts-a.volts)
		}
	}
	return 1
}
