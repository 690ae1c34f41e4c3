package vl53l0x

import "fmt"

// The reference array.
const (
	startSPAD     = 180
	firstAperture = 12 // bits below it are SPADs without aperture
	maxOpen       = 12
	maxAperture   = 32
)

// referenceSPADs enables as many good reference SPADs, of the type, as the factory stored in the chip.
func (d *Dev) referenceSPADs() error {
	count, aperture, err := d.storedSPADs()
	if err != nil {
		return err
	}
	if limit := map[bool]int{false: maxOpen, true: maxAperture}[aperture]; count > limit {
		return fmt.Errorf("vl53l0x: the chip's memory has %d reference SPADs, at most %d are possible", count, limit)
	}
	good, err := d.r.Read(regSPADs, 6)
	if err != nil {
		return err
	}
	enable := chooseSPADs([6]byte(good), count, aperture)
	if err := d.pages(regPage, 1, 0x4f, 0, 0x4e, 0x2c, regPage, 0, regStartSPAD, startSPAD); err != nil {
		return err
	}
	return d.r.Write(regSPADs, enable[:]...)
}

// chooseSPADs keeps the first count good SPADs of the type.
func chooseSPADs(good [6]byte, count int, aperture bool) (enable [6]byte) {
	first := 0
	if aperture {
		first = firstAperture
	}
	for i := first; i < 48 && count > 0; i++ {
		if bit := good[i/8] & (1 << (i % 8)); bit != 0 {
			enable[i/8] |= bit
			count--
		}
	}
	return enable
}

// storedSPADs reads number and type from the chip's memory.
func (d *Dev) storedSPADs() (count int, aperture bool, err error) {
	var v byte
	err = inOrder(
		func() error { return d.pages(regPower, 1, regPage, 1, 0, 0, regPage, 6) },
		func() error { return d.set(0x83, 0, 4) },
		func() error { return d.pages(regPage, 7, 0x81, 1, regPower, 1, 0x94, 0x6b, 0x83, 0) },
		func() error { return d.await(0x83, nvmLimit, func(v byte) bool { return v != 0 }) },
		func() error { return d.r.Write8(0x83, 1) },
		func() (err error) { v, err = d.r.Read8(0x92); return err },
		func() error { return d.pages(0x81, 0, regPage, 6) },
		func() error { return d.set(0x83, 4, 0) },
		func() error { return d.pages(regPage, 1, 0, 1) },
	)
	return int(v & 0x7f), v&0x80 != 0, firstOf(err, d.home())
}
