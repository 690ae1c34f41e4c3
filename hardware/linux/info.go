package linux

import (
	"github.com/robotd/robotd/hardware/profile"
)

// A LineInfo tells where a line is and who holds it.
type LineInfo struct {
	Place  string // "gpiochip0 line 17"
	Used   bool
	Holder string // "robotd" in quotes, or the kernel
}

// Info looks a line up without requesting it. ENODEV if there is none.
func (l *Lines) Info(name string) (LineInfo, error) {
	c, p, err := l.open(name)
	if err != nil {
		return LineInfo{}, err
	}
	defer func() { _ = c.Close() }()
	info, err := c.LineInfo(p.offset)
	if err != nil {
		return LineInfo{}, lineError(name, "ask for "+p.String(), err)
	}
	return LineInfo{Place: p.String(), Used: info.Used, Holder: holder(info.Consumer)}, nil
}

// LinesOf are the lines of a robot on this machine.
func LinesOf(p *profile.Profile) *Lines { return NewLines(Consumer, lineConfigs(p)) }

// ConfigOf is the adapter that a bus of a profile means.
func ConfigOf(name string, b profile.Bus) I2CConfig { return busConfig(name, b) }
