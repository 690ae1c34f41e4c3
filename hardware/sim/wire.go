package sim

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/profile"
)

// wire puts the chips of the profile on the bus, and connects each channel and line that a part uses to the world.
func (r *Rig) wire() {
	p := r.profile
	r.newPanel()
	outputs, inputs := r.outputs(), r.channels()
	for _, name := range slices.Sorted(maps.Keys(p.Chips)) {
		if c := p.Chips[name]; emulated[c.Kind] != nil {
			chip := emulated[c.Kind](r, outputs[name], inputs[name])
			if pwm, ok := chip.(*emul.PCA9685); ok {
				pwm.SetOscillator(r.oscillator(c.Address))
				r.pwms[name] = pwm
			}
			r.bus.Attach(c.Address, chip)
		}
	}
	r.wirePanel()
	r.wirePixels()
	r.wireMotors()
	r.wireSensors()
	r.wireSonar()
}

// oscillator is the clock of the PWM chip at an address.
func (r *Rig) oscillator(addr uint16) float64 {
	if hz := r.world.opt.OscillatorHz; hz > 0 {
		return hz
	}
	return r.world.seed.span(srcOffset, 100+int64(addr), minOscillatorHz, maxOscillatorHz)
}

// What the oscillators of PWM chips were measured to have.
const minOscillatorHz, maxOscillatorHz = 23.5e6, 27e6

// emulated makes a chip of each kind with its channels.
var emulated = map[string]func(*Rig, *outputs, *levels) emul.Chip{
	"pca9685": func(_ *Rig, out *outputs, _ *levels) emul.Chip {
		chip := new(*emul.PCA9685)
		*chip = emul.NewPCA9685(func(ch int, duty float64) {
			if set := out[ch]; set != nil {
				set(duty, *chip)
			}
		})
		return *chip
	},
	"ads7830": func(_ *Rig, _ *outputs, in *levels) emul.Chip { return emul.NewADS7830(in.full, in.tied) },
	"pcf8591": func(_ *Rig, _ *outputs, in *levels) emul.Chip { return emul.NewPCF8591(in.full, in.volts) },
	"ssd1306": func(r *Rig, _ *outputs, _ *levels) emul.Chip { return r.panel },
	"ads1115": func(r *Rig, _ *outputs, in *levels) emul.Chip {
		chip := emul.NewADS1115(r.elapsed, in.volts)
		chip.SetSlowness(r.world.seed.span(srcOffset, 30, 0.9, 1.1))
		return chip
	},
	"vl53l0x": func(r *Rig, _ *outputs, _ *levels) emul.Chip {
		chip := emul.NewVL53L0X(r.clock, r.ranged)
		chip.Seed(r.world.seed.bits(srcOffset, 31))
		return chip
	},
	"mpu6050": func(r *Rig, _ *outputs, _ *levels) emul.Chip {
		chip := emul.NewMPU6050(func() (accel, gyro [3]float64) {
			defer r.done()
			return r.enter().inertial()
		})
		chip.SetElapsed(r.elapsed)
		return chip
	},
	"ina219": func(r *Rig, _ *outputs, _ *levels) emul.Chip {
		p := r.profile.Battery
		chip := emul.NewINA219(func() (volts, amps float64) {
			r.with(func(w *world) { volts, amps = w.power() })
			if p != nil && !p.Charges { // the shunt is in the way to the robot
				amps = -amps
			}
			return volts, amps
		})
		chip.SetNow(r.clock)
		if p != nil && p.ShuntOhm > 0 {
			chip.SetShunt(p.ShuntOhm)
		}
		return chip
	},
}

// outputs are what the channels of a PWM chip drive; nil for one that is not connected.
type outputs [16]func(duty float64, chip *emul.PCA9685)

// outputs connects the channels of all PWM chips.
func (r *Rig) outputs() map[string]*outputs {
	p, all := r.profile, map[string]*outputs{}
	on := func(chip string, ch int, f func(duty float64, chip *emul.PCA9685)) {
		if all[chip] == nil {
			all[chip] = new(outputs)
		}
		all[chip][ch] = f
	}
	for name, c := range p.Chips {
		if c.Kind == "pca9685" {
			all[name] = new(outputs)
		}
	}
	r.motorOutputs(on)
	for i, s := range [3]*profile.Servo{head: p.Head, lift: p.Lift, pan: p.Pan} {
		if s != nil {
			// The pulse's length follows from duty and frequency, so a wrong prescaler has an effect.
			on(s.Chip, s.Channel, func(duty float64, chip *emul.PCA9685) {
				hz := chip.Frequency()
				r.with(func(w *world) { w.servos[i].pulse(duty * 50 / hz) })
			})
		}
	}
	r.lightOutputs(on)
	return all
}

// motorOutputs connects the inputs of the motors' bridges.
func (r *Rig) motorOutputs(on func(chip string, ch int, f func(duty float64, chip *emul.PCA9685))) {
	d := r.profile.Drive
	if d == nil || d.Chip == "" {
		return
	}
	for side, motors := range [2][]profile.Motor{d.Left, d.Right} {
		for k, m := range motors {
			for in, ch := range [3]int{m.Forward, m.Backward, m.PWM} {
				if ch >= 0 {
					on(d.Chip, ch, func(duty float64, _ *emul.PCA9685) {
						r.with(func(w *world) { w.wheels[side].motors[k].set(in, duty, &w.wheels[side]) })
					})
				}
			}
		}
	}
}

// lightOutputs connects the colors of lights on a PWM chip.
func (r *Rig) lightOutputs(on func(chip string, ch int, f func(duty float64, chip *emul.PCA9685))) {
	l := r.profile.Lights
	if l == nil || l.Chip == "" {
		return
	}
	for ch := range min(3*l.Count, 16) {
		on(l.Chip, ch, func(duty float64, _ *emul.PCA9685) {
			r.with(func(w *world) {
				w.lights[ch] = duty
				w.shine()
			})
		})
	}
}

// levels are what the channels of a converter measure, in volts; nil for one that is not connected.
type levels struct {
	channels [8]func() float64
	full     float64 // reference of an eight-bit converter, volts
}

func (in *levels) volts(ch int) float64 {
	if in.channels[ch] == nil {
		return 0
	}
	return in.channels[ch]()
}

// tied is volts of a converter whose last channel is tied to its reference.
func (in *levels) tied(ch int) float64 {
	if ch == len(in.channels)-1 && in.channels[ch] == nil {
		return in.full
	}
	return in.volts(ch)
}

// supplyVolts is the reference of a converter of which the profile says nothing.
const supplyVolts = 3.3

// channels connects the channels of all converters.
func (r *Rig) channels() map[string]*levels {
	p, all := r.profile, map[string]*levels{}
	for name := range p.Chips {
		all[name] = &levels{full: supplyVolts}
	}
	on := func(chip string, ch int, f func(w *world) float64) {
		all[chip].channels[ch] = func() float64 {
			defer r.done()
			return f(r.enter())
		}
	}
	if c := p.Cliff; c != nil && c.Chip != "" {
		all[c.Chip].full = c.FullVolts
		for i, s := range c.Sensors {
			on(c.Chip, s.Channel, func(w *world) float64 { return w.cliffVolts(i) })
		}
	}
	for i, s := range [3]*profile.Servo{head: p.Head, lift: p.Lift, pan: p.Pan} {
		if s != nil && s.Feedback != nil {
			all[s.Feedback.Chip].full = s.Feedback.FullVolts
			on(s.Feedback.Chip, s.Feedback.Channel, func(w *world) float64 { return w.potVolts(i, s.Feedback) })
		}
	}
	if b := p.Battery; b != nil && b.Driver.Driver == "adc" {
		all[b.Chip].full = b.FullVolts
		on(b.Chip, b.Channel, func(w *world) float64 {
			volts, _ := w.power()
			return volts / b.Factor
		})
	}
	return all
}

func (r *Rig) ranged() (mm float64, found bool) {
	defer r.done()
	return r.enter().ranged()
}

func (r *Rig) newPanel() {
	r.panel = emul.NewSSD1306(func(bits *[1024]byte, on bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.frame, r.lit = *bits, on
	})
	if d := r.profile.Display; d != nil && d.Height < 64 {
		r.panel.SetGlass(d.Height)
	}
}

// wirePanel puts a display with a SPI port on it.
func (r *Rig) wirePanel() {
	d := r.profile.Display
	if d == nil || d.Port == "" {
		return
	}
	r.spi[d.Port].Attach(r.panel)
	r.lines.OnOutput(d.Data, r.panel.DC)
	if d.Reset != "" {
		r.lines.Pull(d.Reset, true)
		r.lines.OnOutput(d.Reset, r.panel.RES)
	}
}

// wireMotors connects the lines that give the motors their power.
func (r *Rig) wireMotors() {
	d := r.profile.Drive
	if d == nil || d.Enable == "" {
		return
	}
	r.lines.Pull(d.Enable, false)
	r.lines.OnOutput(d.Enable, func(level bool) { r.with(func(w *world) { w.enable(level) }) })
	if d.Beat == "" {
		return
	}
	r.lines.Pull(d.Beat, false)
	shot := emul.NewOneShot(func() { r.with((*world).beginPulse) }, func() { r.with((*world).endPulse) })
	shot.Clear(true) // the power-on delay is over, and the beat line low: no pulse
	r.lines.OnOutput(d.Beat, shot.B)
}

// wirePixels puts a chain of lights on its port.
func (r *Rig) wirePixels() {
	l := r.profile.Lights
	if l == nil || l.Port == "" {
		return
	}
	r.spi[l.Port].Attach(emul.NewWS2812(l.Count, l.Order, func(all []hardware.RGB) {
		r.with(func(w *world) {
			for i, c := range all {
				for k, v := range [3]uint8{c.R, c.G, c.B} {
					w.lights[3*i+k] = float64(v) / 255
				}
			}
			w.shine()
		})
	}))
}

// wireSensors connects the lines of sensors that look down, whose level is found when it is read.
func (r *Rig) wireSensors() {
	c := r.profile.Cliff
	if c == nil || c.Driver.Driver != "digital" {
		return
	}
	for i, s := range c.Sensors {
		r.lines.OnRead(s.Line, func() {
			w := r.enter()
			void := w.overVoid(i)
			r.leave()
			r.lines.SetInput(s.Line, void)
		})
	}
}

// wireSonar connects the lines of an echo sonar, which keeps the world's time.
func (r *Rig) wireSonar() {
	if s := r.profile.Range; s != nil && s.Driver.Driver == "sonar" {
		emul.NewSonar(r.lines, s.Trigger, s.Echo, r.clock, r.ranged)
	}
}
