package pca9685

import (
	"errors"

	"github.com/robotd/robotd/hardware/chip/reg"
)

// Join configures a chip that drivers of several devices share: like [Dev.Init], unless it already runs as this driver would configure it.
// Then the outputs go on, so that a device that starts does not stop the wheels of another one. It reports whether it configured the chip,
// which switched every output off; the caller reads its own outputs back, since another device may use its own already.
func (d *Dev) Join() (configured bool, err error) {
	err = d.r.Check([]reg.Setting{
		{Reg: regMode1, Value: mode1Auto, Mask: mode1Valid},
		{Reg: regMode2, Value: mode2Totem},
		{Reg: regPrescale, Value: d.prescale},
	})
	if errors.Is(err, reg.ErrConfigLost) {
		return true, d.configure()
	}
	return false, err
}

// CutFrame are the bytes that switch every output of a chip off in one transaction, whatever its configuration: the full-off bits of all
// outputs at once. They are for whoever must stop the motors without a driver.
func CutFrame() []byte { return []byte{regAllLED + 3, full} }

// CutFrameOf are the bytes that switch the outputs from first up to end off. The chip must be configured; one that is not has all outputs off.
func CutFrameOf(first, end int) []byte {
	b := []byte{byte(regLED0 + 4*first)}
	for range end - first {
		b = append(b, 0, 0, 0, full)
	}
	return b
}
