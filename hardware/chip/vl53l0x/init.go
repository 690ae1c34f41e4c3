package vl53l0x

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/hardware/chip/reg"
)

// regStopVariable is on page 1.
const regStopVariable = 0x91

// Init resets and identifies the chip and sets it up as ST's interface does. The chip must be started after it.
func (d *Dev) Init() error {
	if err := d.opts.check(d.addr); err != nil {
		return err
	}
	steps := [...]struct {
		name string
		do   func() error
	}{
		{"reset", d.reset},
		{"data init", d.dataInit},
		{"reference SPADs", d.referenceSPADs},
		{"tuning", d.tune},
		{"timing budget", d.budget},
		{"calibration", d.calibrate},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			_ = d.home() // err is the reason; if home fails too, Verify tries again
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return d.Verify()
}

// reset brings the chip to its power-on state, whatever an earlier program left, and checks its identity.
func (d *Dev) reset() error {
	if d.opts.XSHUT != nil {
		return d.hardReset()
	}
	if err := d.identify(); err != nil {
		return err
	}
	return inOrder(
		func() error { return d.r.Write8(regReset, 0) },
		func() error { return d.await(regModel, bootLimit, func(v byte) bool { return v == 0 }) },
		func() error { return d.r.Write8(regReset, 1) },
		func() error { d.r.Sleep(boot); return nil },
		func() error { return d.await(regModel, bootLimit, func(v byte) bool { return v != 0 }) },
		d.identify,
	)
}

// identify compares the model. A register of that number exists on other pages too, and an earlier program may have left the
// chip on one, or in reset.
func (d *Dev) identify() error {
	id, err := d.r.Read8(regModel)
	if err == nil && id != model {
		err = firstOf(d.home(), d.r.Write8(regReset, 1))
		if err == nil {
			d.r.Sleep(boot)
			id, err = d.r.Read8(regModel)
		}
	}
	if err == nil && id != model {
		err = &reg.IDError{Got: uint16(id), Want: fmt.Sprintf("%#02x", model)}
	}
	return err
}

// hardReset pulls XSHUT, waits for the boot, during which the chip does not acknowledge, and gives it its address.
func (d *Dev) hardReset() error {
	if err := d.opts.XSHUT.Set(false); err != nil {
		return err
	}
	d.r.Sleep(step)
	if err := d.opts.XSHUT.Set(true); err != nil {
		return err
	}
	d.r.Sleep(boot)
	d.away = false
	fresh := d.r
	if d.addr != defaultAddr {
		fresh = reg.New(d.bus, defaultAddr, d.clk, d.health)
	}
	id, err := fresh.Read8(regModel)
	for end := d.clk.Now().Add(bootLimit); err != nil && d.clk.Now().Before(end); id, err = fresh.Read8(regModel) {
		d.r.Sleep(step)
	}
	switch {
	case err != nil:
		return err
	case id != model:
		return &reg.IDError{Got: uint16(id), Want: fmt.Sprintf("%#02x", model)}
	case fresh == d.r:
		return nil
	}
	return fresh.Write8(regAddress, byte(d.addr&0x7f))
}

// await reads a register until done, at most for limit.
func (d *Dev) await(r byte, limit time.Duration, done func(byte) bool) error {
	end := d.clk.Now().Add(limit)
	for {
		v, err := d.r.Read8(r)
		switch {
		case err != nil || done(v):
			return err
		case !d.clk.Now().Before(end):
			return fmt.Errorf("%w: register %#02x reads %#02x after %v", reg.ErrNotReady, r, v, limit)
		}
		d.r.Sleep(step)
	}
}

// set changes bits of a register.
func (d *Dev) set(r, clear, set byte) error {
	v, err := d.r.Read8(r)
	if err != nil {
		return err
	}
	return d.r.Write8(r, v&^clear|set)
}

// pages writes registers, each followed by its value, on the pages that are chosen among them.
func (d *Dev) pages(table ...byte) error {
	for i := 0; i < len(table); i += 2 {
		if err := d.r.Write8(table[i], table[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// dataInit chooses the I/O voltage, reads the stop variable and switches the rate checks of the first steps off.
func (d *Dev) dataInit() error {
	if !d.opts.LowIO {
		if err := d.set(regIOMode, 0, 1); err != nil {
			return err
		}
	}
	return inOrder(
		func() error { return d.r.Write8(regStandard, 0) },
		func() error {
			return d.private(func() (err error) { d.stop, err = d.r.Read8(regStopVariable); return err })
		},
		func() error { return d.set(regRateChecks, 0, noRateChecks) },
		d.signal,
		func() error { return d.r.Write8(regSequence, allSteps) },
	)
}

// signal writes the least signal rate, Q9.7.
func (d *Dev) signal() error { return d.r.Write16(regSignal, uint16(d.opts.SignalMCPS*128+0.5)) }

// tune writes ST's tuning, and what it overwrote, and asks for an interrupt at each new sample.
func (d *Dev) tune() error {
	return inOrder(
		func() error { return d.pages(tuning[:]...) },
		d.signal,
		func() error { return d.r.Write8(regIntConfig, newSample) },
		func() error { return d.set(regPin, activeHigh, 0) },
		func() error { return d.r.Write8(regIntClear, 1) },
	)
}

// budget chooses the steps of a measurement and gives the final range what the others leave of the time.
func (d *Dev) budget() error {
	if err := d.r.Write8(regSequence, usedSteps); err != nil {
		return err
	}
	t := timing{steps: usedSteps}
	var err [5]error
	t.preReg, err[0] = d.r.Read8(regPrePeriod)
	t.finalReg, err[1] = d.r.Read8(regFinPeriod)
	t.msrc, err[2] = d.r.Read8(regMSRC)
	t.pre, err[3] = d.r.Read16(regPre)
	var code uint16
	code, err[4] = t.final(uint32(d.opts.Budget.Microseconds()))
	if err := firstOf(err[:]...); err != nil {
		return err
	}
	return d.r.Write16(regFinal, code)
}

// calibrate runs the reference calibrations: VHV, then phase. Both are due again after a change of temperature by more than
// 8 °C; a restart does them.
func (d *Dev) calibrate() error {
	for _, c := range [...]struct{ steps, start byte }{{0x01, 0x41}, {0x02, 0x01}} {
		err := inOrder(
			func() error { return d.pages(regSequence, c.steps, regStart, c.start) },
			func() error {
				return d.await(regIntStatus, calibrations, func(v byte) bool { return v&statusMask != 0 })
			},
			func() error { return d.pages(regIntClear, 1, regStart, 0) },
		)
		if err != nil {
			return err
		}
	}
	return d.r.Write8(regSequence, usedSteps)
}
