package linux

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/warthog618/go-gpiocdev"

	"github.com/robotd/robotd/hardware"
)

// A Bias is the resistor that the GPIO chip puts on a line.
type Bias string

// The biases. AsIs leaves what is there: the kernel changes a resistor only for a request that names one (linux/gpio.h, GPIO_V2_LINE_FLAG_BIAS_…).
const (
	AsIs     Bias = ""
	PullUp   Bias = "up"
	PullDown Bias = "down"
	NoPull   Bias = "none"
)

// A LineConfig tells where a line of the robot is.
type LineConfig struct {
	// Name of the line on the robot, "MOTOR_EN".
	Name string
	// Chip is the label or the name of its GPIO chip, "pinctrl-bcm2711", "gpiochip0". Empty means any; prefer a label, since
	// numbers change with the kernel.
	Chip string
	// Line is the kernel's name of the line, "GPIO17". Empty means that Offset counts.
	Line   string
	Offset int
	// ActiveLow turns the line around: true is the low level.
	ActiveLow bool
	Bias      Bias
	// Debounce drops shorter pulses of an input. 0 keeps all.
	Debounce time.Duration
}

// Lines are the GPIO lines of a board. They implement [hardware.Lines]. All methods are safe for concurrent use.
type Lines struct {
	consumer string
	conf     map[string]LineConfig
}

// NewLines returns the lines of conf, which are requested in the name of consumer. A line that is not in conf is looked for by its
// kernel name.
func NewLines(consumer string, conf []LineConfig) *Lines {
	l := &Lines{consumer: consumer, conf: map[string]LineConfig{}}
	for _, c := range conf {
		l.conf[c.Name] = c
	}
	return l
}

// Output requests the line as an output with an initial level. EBUSY if it is taken, ENODEV if there is no such line.
func (l *Lines) Output(name string, initial bool) (hardware.Line, error) {
	return l.request(name, gpiocdev.AsOutput(level(initial)))
}

// Input requests the line as an input. EBUSY if it is taken, ENODEV if there is no such line.
func (l *Lines) Input(name string) (hardware.Line, error) {
	return l.request(name, gpiocdev.AsInput)
}

func (l *Lines) request(name string, direction gpiocdev.LineReqOption) (hardware.Line, error) {
	c, place, err := l.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	_, output := direction.(gpiocdev.OutputOption)
	line, err := c.RequestLine(place.offset, slices.Concat([]gpiocdev.LineReqOption{gpiocdev.WithConsumer(l.consumer), direction}, l.options(name, !output))...)
	if err != nil {
		return nil, l.refused(name, c, place, err)
	}
	return &gpioLine{name: name, line: line, output: output}, nil
}

// options are those of the line's place.
func (l *Lines) options(name string, input bool) []gpiocdev.LineReqOption {
	c := l.conf[name]
	var o []gpiocdev.LineReqOption
	if c.ActiveLow {
		o = append(o, gpiocdev.AsActiveLow)
	}
	switch c.Bias {
	case PullUp:
		o = append(o, gpiocdev.WithPullUp)
	case PullDown:
		o = append(o, gpiocdev.WithPullDown)
	case NoPull:
		o = append(o, gpiocdev.WithBiasDisabled)
	}
	if input && c.Debounce > 0 {
		o = append(o, gpiocdev.WithDebounce(c.Debounce))
	}
	return o
}

// A place is a line's chip and offset.
type place struct {
	chip   string
	offset int
}

func (p place) String() string { return fmt.Sprintf("%s line %d", p.chip, p.offset) }

// open finds the line and opens its chip.
func (l *Lines) open(name string) (*gpiocdev.Chip, place, error) {
	p, err := l.Find(name)
	if err != nil {
		return nil, place{}, err
	}
	c, err := gpiocdev.NewChip(p.chip, gpiocdev.WithConsumer(l.consumer))
	if err != nil {
		return nil, place{}, lineError(name, "open "+p.chip, gone(err))
	}
	return c, p, nil
}

// gone is ENODEV for the errors of a chip that vanishes while it is opened.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, gpiocdev.ErrNotCharacterDevice) {
		return syscall.ENODEV
	}
	return bare(err)
}

// A chip is what the search needs to know of a GPIO chip.
type chip struct {
	name, label string
	lines       []string
}

// chips returns all GPIO chips. A chip with two nodes, as some Raspberry Pi images have, is one; a node that may not be opened is an
// error that says so.
func chips() ([]chip, error) {
	var all []chip
	var errs []error
	for _, node := range gpiocdev.Chips() {
		c, err := gpiocdev.NewChip(node)
		if err != nil && errors.Is(gone(err), syscall.ENODEV) {
			continue // a link to another chip, or it vanishes
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("/dev/%s: %w", node, bare(err)))
			continue
		}
		all = append(all, describe(c))
		_ = c.Close()
	}
	return all, errors.Join(errs...)
}

func describe(c *gpiocdev.Chip) chip {
	d := chip{name: c.Name, label: c.Label, lines: make([]string, c.Lines())}
	for i := range d.lines {
		if info, err := c.LineInfo(i); err == nil {
			d.lines[i] = info.Name
		}
	}
	return d
}

// Find returns the chip and the offset of the line.
func (l *Lines) Find(name string) (place, error) {
	conf, ok := l.conf[name]
	if !ok {
		conf = LineConfig{Name: name, Line: name}
	}
	all, err := chips()
	p, ferr := find(conf, all)
	if ferr == nil {
		return p, nil
	}
	if err != nil { // the line may be on the chip that may not be opened
		return place{}, lineError(name, "find", err)
	}
	return place{}, lineError(name, "find", ferr)
}

// ownPins begins the labels of the chips with the pins that a Raspberry Pi 5 has for itself: its power, its fan, its wireless. With its first
// kernels they had the numbers from 0 on, and the header was gpiochip4; an offset that is meant for the header must not drive them.
const ownPins = "gpio-brcmstb"

// find is the search for a line on the chips.
func find(conf LineConfig, all []chip) (place, error) {
	var found []place
	var names, seen []string
	for _, c := range all {
		seen = append(seen, fmt.Sprintf("%s is %q with %d lines", c.name, c.label, len(c.lines)))
		if conf.Chip != "" && conf.Chip != c.name && conf.Chip != c.label {
			continue
		}
		names = append(names, c.lines...)
		if conf.Line == "" {
			if conf.Chip == c.name && strings.HasPrefix(c.label, ownPins) {
				return place{}, fmt.Errorf("%s is %q, the processor's own pins and not those of the header; give the label of the chip, such as \"pinctrl-rp1\": %w", c.name, c.label, syscall.EINVAL)
			}
			if conf.Offset >= 0 && conf.Offset < len(c.lines) {
				found = append(found, place{c.name, conf.Offset})
			}
		} else if i := slices.Index(c.lines, conf.Line); i >= 0 {
			found = append(found, place{c.name, i})
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return place{}, fmt.Errorf("%s is ambiguous, it is %s and %s; give chip and offset instead: %w", conf.wanted(), found[0], found[1], syscall.EINVAL)
	}
	return place{}, fmt.Errorf("no GPIO chip has %s%s%s: %w", conf.wanted(), among(seen), hint(conf.Line, names), syscall.ENODEV)
}

// wanted describes what is looked for.
func (c LineConfig) wanted() string {
	w := fmt.Sprintf("a line %q", c.Line)
	if c.Line == "" {
		w = fmt.Sprintf("a line %d", c.Offset)
	}
	if c.Chip != "" {
		w += fmt.Sprintf(" on a chip %q", c.Chip)
	}
	return w
}

// hint names the line that differs from the wanted one by case or has it as its beginning, if there is one.
func hint(want string, names []string) string {
	for _, n := range names {
		if n != "" && want != "" && (strings.EqualFold(n, want) || strings.HasPrefix(n, want+" ") || strings.HasPrefix(n, want+"_")) {
			return fmt.Sprintf("; the nearest name is %q", n)
		}
	}
	return ""
}

// refused is the error of a request, with the holder of a line that is taken.
func (l *Lines) refused(name string, c *gpiocdev.Chip, p place, err error) error {
	if errors.Is(err, syscall.EBUSY) {
		if info, ierr := c.LineInfo(p.offset); ierr == nil && info.Used {
			return lineError(name, "request "+p.String()+", which "+holder(info.Consumer)+" holds", err)
		}
	}
	return lineError(name, "request "+p.String(), err)
}

func holder(consumer string) string {
	if consumer == "" {
		return "the kernel"
	}
	return fmt.Sprintf("%q", consumer)
}

// bare is the errno of a path error, whose path the caller names already.
func bare(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

func lineError(name, op string, err error) error {
	return fmt.Errorf("line %s: %s: %w", name, op, err)
}

func level(high bool) int {
	if high {
		return 1
	}
	return 0
}

var _ hardware.Lines = (*Lines)(nil)
