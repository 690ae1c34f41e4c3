package sim

import (
	"github.com/robotd/robotd/hardware/emul"
)

// Wiring of R1, the robot of hardware/README.md: the same as in package device, which the simulator must not import.
const (
	addrRange    uint16 = 0x29
	addrServos   uint16 = 0x40
	addrWheels   uint16 = 0x41
	addrLights   uint16 = 0x42
	addrBattery  uint16 = 0x45
	addrCliff    uint16 = 0x48
	addrFeedback uint16 = 0x49
	addrIMU      uint16 = 0x68

	lineEnable   = "MOTOR_EN"
	lineBeat     = "MOTOR_BEAT"
	linePower    = "MOTOR_ON"
	lineLeftA    = "ENC_LA"
	lineLeftB    = "ENC_LB"
	lineRightA   = "ENC_RA"
	lineRightB   = "ENC_RB"
	lineTouch    = "TOUCH"
	lineButton   = "PWR_BTN"
	linePresent  = "CHG_PRESENT"
	lineStatus   = "CHG_STAT" // low while charging
	linePanelDC  = "OLED_DC"
	linePanelRES = "OLED_RST"
)

// wire puts the chips on the bus and connects each to the world.
func (r *Rig) wire() {
	servos := new(*emul.PCA9685)
	*servos = emul.NewPCA9685(func(ch int, duty float64) { r.pulse(ch, duty, (*servos).Frequency()) })
	r.bus.Attach(addrServos, *servos)
	r.bus.Attach(addrWheels, emul.NewPCA9685(r.bridge))
	r.bus.Attach(addrLights, emul.NewPCA9685(r.light))
	r.bus.Attach(addrCliff, emul.NewADS1115(r.clock, r.cliff))
	r.bus.Attach(addrFeedback, emul.NewADS1115(r.clock, r.pot))
	r.bus.Attach(addrRange, emul.NewVL53L0X(r.clock, func() (mm float64, found bool) {
		defer r.leave()
		return r.enter().ranged()
	}))
	r.bus.Attach(addrIMU, emul.NewMPU6050(func() (accel, gyro [3]float64) {
		defer r.leave()
		return r.enter().inertial()
	}))
	r.bus.Attach(addrBattery, emul.NewINA219(func() (volts, amps float64) {
		r.with(func(w *world) { volts, amps = w.power() })
		return volts, amps
	}))
	r.wireLines()
}

func (r *Rig) wireLines() {
	panel := emul.NewSSD1306(func(bits [1024]byte, on bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.frame, r.lit = bits, on
	})
	r.panel = panel
	r.spi.Attach(panel)
	r.lines.Pull(linePanelRES, true)
	r.lines.OnOutput(linePanelDC, panel.DC)
	r.lines.OnOutput(linePanelRES, panel.RES)
	r.lines.Pull(lineEnable, false)
	r.lines.OnOutput(lineEnable, func(level bool) { r.with(func(w *world) { w.enable(level) }) })
	r.lines.Pull(lineBeat, false)
	shot := emul.NewOneShot(func() { r.with((*world).beginPulse) }, func() { r.with((*world).endPulse) })
	shot.Clear(true) // the power-on delay is over, and the beat line low: no pulse
	r.lines.OnOutput(lineBeat, shot.B)
}

// pulse drives a servo. Its length follows from duty and frequency, so a wrong prescaler has an effect.
func (r *Rig) pulse(ch int, duty, hz float64) {
	if ch < 2 {
		r.with(func(w *world) { w.servos[ch].pulse(duty * 50 / hz) })
	}
}

// bridge drives the wheels: channels 0 and 1 are IN1 and IN2 of the left motor, 2 and 3 of the right one.
func (r *Rig) bridge(ch int, duty float64) {
	if ch < 4 {
		r.with(func(w *world) { w.wheels[ch/2].in[ch%2] = duty })
	}
}

// light dims one color of one back light: red, green, blue of five lights on channels 0 to 14.
func (r *Rig) light(ch int, duty float64) {
	r.with(func(w *world) {
		if ch < len(w.lights) {
			w.lights[ch] = duty
			w.shine()
		}
	})
}

func (r *Rig) cliff(ch int) float64 {
	defer r.leave()
	return r.enter().cliffVolts(ch)
}

func (r *Rig) pot(ch int) float64 {
	if ch >= 2 {
		return 0
	}
	defer r.leave()
	return r.enter().potVolts(ch)
}
