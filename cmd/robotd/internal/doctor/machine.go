package doctor

import (
	"fmt"
	"os"
	"os/user"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/robotd/robotd/hardware/profile"
)

// Capabilities, of linux/capability.h.
const (
	capIPCLock = 14
	capSysNice = 23
)

func machine(p *profile.Profile) []Check {
	model := strings.Trim(read("/proc/device-tree/model"), "\x00")
	if model == "" {
		model = "no board that has a device tree"
	}
	all := []Check{
		{What: "board", State: Note, Text: fmt.Sprintf("%s, %s, Linux %s", model, runtime.GOARCH, strings.TrimSpace(read("/proc/sys/kernel/osrelease")))},
		{What: "user", State: Note, Text: who()},
		realtime(), memory(), descriptors(),
	}
	all = append(all, persistent()...)
	return append(all, console(p, read("/proc/cmdline"))...)
}

// read is the content of a small file, "" if it cannot be read.
func read(name string) string {
	b, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(b)
}

// who is the user with the groups that own devices.
func who() string {
	u, err := user.Current()
	if err != nil {
		return "uid " + strconv.Itoa(os.Getuid())
	}
	var in []string
	for _, g := range []string{"i2c", "gpio", "spi", "dialout", "audio"} {
		if member(u, g) {
			in = append(in, g)
		}
	}
	if len(in) == 0 {
		return u.Username + ", in none of the groups i2c, gpio, spi, dialout"
	}
	return u.Username + ", in " + strings.Join(in, ", ")
}

func member(u *user.User, group string) bool {
	g, err := user.LookupGroup(group)
	if err != nil {
		return false
	}
	ids, err := u.GroupIds()
	return err == nil && slices.Contains(ids, g.Gid)
}

// capable reports whether this process has a capability.
func capable(bit uint) bool {
	for line := range strings.Lines(read("/proc/self/status")) {
		if hex, ok := strings.CutPrefix(line, "CapEff:"); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
			return err == nil && n>>bit&1 == 1
		}
	}
	return false
}

func limit(resource int) uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(resource, &l) != nil {
		return 0
	}
	return l.Cur
}

func realtime() Check {
	c := Check{What: "real time", State: OK, Text: "permitted; robotd run --realtime wakes ticks on a real-time thread"}
	if !capable(capSysNice) && limit(unix.RLIMIT_RTPRIO) == 0 {
		c.State, c.Text = Note, "not permitted: ticks come up to some milliseconds late beside other load"
		c.Advice = "the unit file of the package permits it (LimitRTPRIO, CAP_SYS_NICE)"
	}
	return c
}

func memory() Check {
	c := Check{What: "locked memory", State: OK, Text: "permitted"}
	if have := limit(unix.RLIMIT_MEMLOCK); !capable(capIPCLock) && have < 256<<20 {
		c.State, c.Text = Note, fmt.Sprintf("limited to %d KiB: pages may be swapped out", have>>10)
		c.Advice = "LimitMEMLOCK=infinity in the unit file"
	}
	return c
}

func descriptors() Check {
	c := Check{What: "descriptors", State: OK, Text: strconv.FormatUint(limit(unix.RLIMIT_NOFILE), 10)}
	if limit(unix.RLIMIT_NOFILE) < 256 {
		c.State, c.Advice = Warn, "ulimit -n 1024: each connection and line needs one"
	}
	return c
}

// persistent tells of GPIO drivers that keep the level of an output whose process is gone.
func persistent() (all []Check) {
	for _, module := range []string{"pinctrl_bcm2835", "pinctrl_rp1"} {
		name := "/sys/module/" + module + "/parameters/persist_gpio_outputs"
		switch strings.TrimSpace(read(name)) {
		case "Y":
			all = append(all, Check{
				What: module, State: Warn, Text: "outputs keep their level when their process is gone: an enable line would stay high after a crash",
				Advice: module + ".persist_gpio_outputs=n on the kernel's command line (dtparam=strict_gpiod in config.txt)",
			})
		case "N":
			all = append(all, Check{What: module, State: OK, Text: "an output of a process that is gone becomes an input, so its resistor decides"})
		}
	}
	return all
}

// headerPin is the name of a line as the header of a Raspberry Pi has it, "" if it is on another chip.
func headerPin(l profile.Line) string {
	if l.Name != "" {
		return l.Name
	}
	if l.Chip == "gpiochip0" || strings.HasPrefix(l.Chip, "pinctrl-bcm") || strings.HasPrefix(l.Chip, "pinctrl-rp1") {
		return fmt.Sprintf("GPIO%d", l.Offset)
	}
	return ""
}

// console tells of a login or kernel console on a serial port that the robot needs.
func console(p *profile.Profile, cmdline string) []Check {
	var need []string
	for _, l := range p.Lines {
		if pin := headerPin(l); pin == "GPIO14" || pin == "GPIO15" {
			need = append(need, pin)
		}
	}
	for _, port := range p.Ports {
		if port.Kind == "serial" {
			need = append(need, port.Device)
		}
	}
	slices.Sort(need)
	for _, word := range strings.Fields(cmdline) {
		dev, ok := strings.CutPrefix(word, "console=")
		dev, _, _ = strings.Cut(dev, ",")
		if ok && len(need) > 0 && (strings.HasPrefix(dev, "serial") || strings.HasPrefix(dev, "ttyAMA")) {
			return []Check{{
				What: "serial console", State: Fail, Text: fmt.Sprintf("the kernel talks on %s, but the robot needs %s", dev, strings.Join(need, ", ")),
				Advice: "remove " + word + " from the kernel's command line (raspi-config, Interface, Serial: no login shell)",
			}}
		}
	}
	return nil
}
