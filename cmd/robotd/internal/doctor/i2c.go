package doctor

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/linux"
	"github.com/robotd/robotd/hardware/profile"
)

func buses(p *profile.Profile) (all []Check) {
	for _, name := range slices.Sorted(maps.Keys(p.Buses)) {
		all = append(all, bus(p, name)...)
	}
	return all
}

// bus looks at one bus and the chips on it.
func bus(p *profile.Profile, name string) []Check {
	conf := p.Buses[name]
	b, err := linux.OpenI2C(linux.ConfigOf(name, conf))
	if err != nil {
		return []Check{{What: "bus " + name, State: Fail, Text: strings.TrimPrefix(err.Error(), "bus "+name+": "), Advice: busAdvice(err)}}
	}
	defer func() { _ = b.Close() }()
	node, adapter := b.Device()
	all := []Check{{What: "bus " + name, State: OK, Text: node + ", " + adapter}}
	var answered []string
	for _, chip := range slices.SortedFunc(maps.Keys(p.Chips), func(x, y string) int { return int(p.Chips[x].Address) - int(p.Chips[y].Address) }) {
		if c := p.Chips[chip]; c.Bus == name {
			check := identify(b, chip, c, node)
			if check.State != Fail {
				answered = append(answered, chip)
			}
			all = append(all, check)
		}
	}
	return append(all, speed(b, p, conf, answered))
}

// busAdvice is what to do about a bus that does not open.
func busAdvice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENODEV), errors.Is(err, syscall.ENXIO):
		return "switch I²C on (raspi-config, Interface, I2C; or dtparam=i2c_arm=on in config.txt) and load i2c-dev (modprobe i2c-dev)"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return "put the user into the group i2c (adduser NAME i2c) and log in anew"
	case errors.Is(err, syscall.EOPNOTSUPP):
		return "this adapter does only SMBus; take another"
	}
	return ""
}

// An identity is how a chip shows that it is one of its kind.
type identity struct {
	write []byte // register, or what is harmless to write
	read  int
	tell  func(got []byte) (text string, ok bool)
}

// The identities. None of these reads has a side effect.
var identities = map[string]identity{
	"vl53l0x": {[]byte{0xc0}, 1, func(b []byte) (string, bool) { return fmt.Sprintf("model %#02x", b[0]), b[0] == 0xee }},
	"mpu6050": {[]byte{0x75}, 1, func(b []byte) (string, bool) {
		i := slices.IndexFunc(mpu6x.Kinds, func(k mpu6x.Kind) bool { return k.ID == b[0] })
		if i < 0 {
			return fmt.Sprintf("identity %#02x is no sensor of this family", b[0]), false
		}
		return mpu6x.Kinds[i].Name, true
	}},
	"pca9685": {[]byte{0x00}, 1, func(b []byte) (string, bool) {
		if b[0]&0x10 != 0 {
			return fmt.Sprintf("MODE1 %#02x: asleep, all outputs off", b[0]), true
		}
		return fmt.Sprintf("MODE1 %#02x: awake, its outputs run", b[0]), true
	}},
	"ads1115": {[]byte{0x01}, 2, func(b []byte) (string, bool) { return fmt.Sprintf("configuration %#02x%02x", b[0], b[1]), true }},
	"ina219": {[]byte{0x02}, 2, func(b []byte) (string, bool) {
		return fmt.Sprintf("%.2f V", float64((uint16(b[0])<<8|uint16(b[1]))>>3)*0.004), true
	}},
	"ads7830": {nil, 1, func([]byte) (string, bool) { return "answers; it has no identity", true }},
	"pcf8591": {nil, 1, func([]byte) (string, bool) { return "answers; it has no identity", true }},
	"ssd1306": {[]byte{0x00, 0xe3}, 0, func([]byte) (string, bool) { return "answers; it has no identity", true }},
}

// identify asks one chip who it is.
func identify(b i2c.Bus, name string, c profile.Chip, node string) Check {
	check := Check{What: fmt.Sprintf("%s %s %#02x", name, c.Kind, c.Address), State: OK}
	id := identities[c.Kind]
	got := make([]byte, id.read)
	err := b.Tx(c.Address, id.write, got)
	if owner := kernelDriver(node, c.Address); owner != "" {
		check.State, check.Text = Fail, "the kernel's driver "+owner+" holds this address"
		check.Advice = "unbind it: remove its overlay from config.txt, or blacklist the module " + owner
		return check
	}
	if err != nil {
		check.State, check.Text, check.Advice = Fail, err.Error(), chipAdvice(err)
		return check
	}
	text, ok := id.tell(got)
	if check.Text = text; !ok {
		check.State, check.Advice = Fail, "another chip has this address: look at the wiring, and at the address in the profile"
	}
	return check
}

func chipAdvice(err error) string {
	switch {
	case errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, syscall.EIO), errors.Is(err, syscall.EBUSY):
		return "a line of the bus is held low, or the pull-ups are missing: take the parts off one by one"
	case errors.Is(err, syscall.EREMOTEIO), errors.Is(err, syscall.ENXIO):
		return "nothing answers at this address: power, SDA and SCL swapped, or the address jumpers"
	}
	return ""
}

// kernelDriver is the driver that the kernel has bound to an address, "" if none.
func kernelDriver(node string, addr uint16) string {
	number := strings.TrimPrefix(filepath.Base(node), "i2c-")
	link, err := os.Readlink(fmt.Sprintf("/sys/bus/i2c/devices/%s-%04x/driver", number, addr))
	if err != nil {
		return ""
	}
	return filepath.Base(link)
}

// longRead is the read that the speed is measured by, beside one of a byte.
const longRead = 32

// speed compares the speed of the wire with that of the profile. A chip that has 32 registers to read in a row serves.
func speed(b *linux.I2C, p *profile.Profile, conf profile.Bus, answered []string) Check {
	c := Check{What: "speed", State: OK}
	if asked, ok := b.Speed(); ok {
		c.Text = fmt.Sprintf("the device tree asks for %v; ", asked)
	}
	i := slices.IndexFunc(answered, func(n string) bool {
		return slices.Contains([]string{"pca9685", "mpu6050", "vl53l0x"}, p.Chips[n].Kind)
	})
	if i < 0 {
		c.State, c.Text = Note, c.Text+"not measured: no chip that can serve answers"
		return c
	}
	hz, ok := measure(b, p.Chips[answered[i]].Address)
	if !ok {
		c.State, c.Text = Note, c.Text+"not measured: reads failed"
		return c
	}
	c.Text += fmt.Sprintf("measured %.0f kHz, the profile says %.0f", hz/1000, conf.SpeedHz/1000)
	if hz < 0.6*conf.SpeedHz {
		c.State = Warn
		c.Advice = fmt.Sprintf("dtparam=i2c_arm_baudrate=%.0f in config.txt; else devices are read less often", conf.SpeedHz)
	}
	return c
}

// measure is the clock of the wire by the difference of a long and a short read, the shortest of several.
func measure(b i2c.Bus, addr uint16) (hz float64, ok bool) {
	var best [2]time.Duration
	for range 15 {
		for i, n := range [...]int{1, longRead} {
			begin := time.Now()
			if b.Tx(addr, []byte{0}, make([]byte, n)) != nil {
				return 0, false
			}
			if took := time.Since(begin); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	if best[1] <= best[0] {
		return 0, false
	}
	return 9 * (longRead - 1) / (best[1] - best[0]).Seconds(), true
}
