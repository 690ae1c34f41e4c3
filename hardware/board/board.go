// Package board reports which buses, ports and lines periph finds on this machine, and which host drivers it could not
// load and why. The report shows whether a board offers what a robot needs.
//
//	report := board.Probe()
//	fmt.Println(report.I2C)
package board

import (
	"cmp"
	"slices"

	"periph.io/x/conn/v3/driver/driverreg"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/spi/spireg"
	"periph.io/x/host/v3"
)

// A Report lists what periph found. Every list is sorted.
type Report struct {
	I2C     []string `json:"i2c"`     // buses by name
	SPI     []string `json:"spi"`     // ports by name
	Lines   int      `json:"lines"`   // GPIO lines
	Loaded  []string `json:"loaded"`  // host drivers
	Skipped []Driver `json:"skipped"` // host drivers that found nothing to drive
	Failed  []Driver `json:"failed"`  // host drivers that failed to load
}

// A Driver is a host driver that is not in use, with the reason.
type Driver struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Probe queries periph. A second call returns the same report, because periph does not detect later changes. Probe changes
// nothing on the machine. It returns no error: failures are listed in the report.
func Probe() Report {
	r := Report{I2C: []string{}, SPI: []string{}, Loaded: []string{}, Skipped: []Driver{}, Failed: []Driver{}}
	state, err := host.Init()
	if err != nil {
		r.Failed = append(r.Failed, Driver{"periph", err.Error()})
	}
	if state != nil {
		for _, d := range state.Loaded {
			r.Loaded = append(r.Loaded, d.String())
		}
		r.Skipped = append(r.Skipped, reasons(state.Skipped)...)
		r.Failed = append(r.Failed, reasons(state.Failed)...)
	}
	for _, b := range i2creg.All() {
		r.I2C = append(r.I2C, b.Name)
	}
	for _, p := range spireg.All() {
		r.SPI = append(r.SPI, p.Name)
	}
	r.Lines = len(gpioreg.All())
	slices.Sort(r.I2C)
	slices.Sort(r.SPI)
	slices.Sort(r.Loaded)
	return r
}

func reasons(of []driverreg.DriverFailure) []Driver {
	ds := make([]Driver, 0, len(of))
	for _, f := range of {
		ds = append(ds, Driver{f.D.String(), f.Err.Error()})
	}
	slices.SortFunc(ds, func(a, b Driver) int { return cmp.Compare(a.Name, b.Name) })
	return ds
}

// Missing names what R1 needs and the machine does not offer: an I²C bus, a SPI port, and 16
// lines.
func (r Report) Missing() []string {
	var m []string
	if len(r.I2C) == 0 {
		m = append(m, "an I²C bus")
	}
	if len(r.SPI) == 0 {
		m = append(m, "a SPI port")
	}
	if r.Lines < 16 {
		m = append(m, "16 GPIO lines")
	}
	return m
}
