package ugv

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// staleOrder is how old an order may be before the wheels are told to stand: another device may pump the link while the motors' driver
// hangs, and must not renew its order.
const staleOrder = 150 * time.Millisecond

// Drive orders the speeds of both sides, meters a second. The next [Link.Pump] writes them, at most every 50 ms. An order that is not
// repeated within 150 ms ends. It reports whether the wheels may turn: the board was identified and set up, and the stop path permits it.
func (l *Link) Drive(now time.Time, left, right float64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.permit || l.phase != ready || l.refused != nil {
		return false
	}
	left, right = l.conf.value(left), l.conf.value(right)
	if left != left || right != right {
		left, right = 0, 0
	}
	switch {
	case left == 0 && right == 0 && l.order == [2]float64{}:
	case left == 0 && right == 0:
		l.stop()
	default:
		l.order, l.orderedAt, l.zeros = [2]float64{left, right}, now, 0
	}
	return true
}

// Stop stands the wheels: it writes the order at once and again with the next pump.
func (l *Link) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stop()
}

// stop is Stop; mu is held.
func (l *Link) stop() {
	l.order, l.zeros = [2]float64{}, 2
	if l.port == nil || l.refused != nil || l.out.flush(l.port) != nil {
		return
	}
	if begun, err := l.out.put(l.port, cmdStop, true); begun && err == nil {
		l.zeros = 1
	}
}

// give writes what is due, the wheels first.
func (l *Link) give(now time.Time) error {
	if l.refused != nil {
		return nil //nolint:nilerr // told by the probe; there is nobody to give orders to
	}
	l.out.refill(now)
	if l.order != [2]float64{} && now.Sub(l.orderedAt) > staleOrder {
		l.stop()
	}
	if err := l.out.flush(l.port); err != nil {
		return err
	}
	if err := l.giveWheels(now); err != nil {
		return err
	}
	for _, one := range [...]func(time.Time) (line []byte, done func()){l.nextAsk, l.nextSetUp, l.nextTimeout, l.nextIMU, l.nextLamps, l.nextText} {
		line, done := one(now)
		if line == nil {
			continue
		}
		begun, err := l.out.put(l.port, line, false)
		if err != nil {
			return err
		}
		if !begun {
			return nil
		}
		done()
	}
	return nil
}

// giveWheels writes T 1 if it is due.
func (l *Link) giveWheels(now time.Time) error {
	if d := now.Sub(l.orderAt); d < orderGap && d >= 0 {
		return nil
	}
	line := cmdStop
	switch {
	case l.zeros > 0:
	case l.order != [2]float64{} && l.orderedAt.After(l.orderAt):
		l.out.buffer = appendDrive(l.out.buffer[:0], l.order[0], l.order[1])
		line = l.out.buffer
	default:
		return nil
	}
	begun, err := l.out.put(l.port, line, true)
	if begun {
		l.orderAt = now
		l.zeros = max(l.zeros-1, 0)
	}
	return err
}

func (l *Link) nextAsk(now time.Time) ([]byte, func()) {
	if l.phase != asking || !l.askAt.IsZero() && now.Sub(l.askAt) < askEvery {
		return nil, nil
	}
	return cmdAsk, func() { l.askAt = now }
}

func (l *Link) nextSetUp(time.Time) ([]byte, func()) {
	if len(l.out.todo) == 0 {
		return nil, nil
	}
	return l.out.todo[0], func() { l.out.todo = l.out.todo[1:] }
}

func (l *Link) nextTimeout(now time.Time) ([]byte, func()) {
	if l.phase != ready || now.Sub(l.aliveAt) < timeoutEvery {
		return nil, nil
	}
	return intCommand(136, "cmd", millis(l.conf.Timeout)), func() { l.aliveAt = now }
}

func (l *Link) nextIMU(now time.Time) ([]byte, func()) {
	if l.phase != ready || l.conf.Firmware != General || now.Sub(l.imuAt) < imuGap {
		return nil, nil
	}
	return cmdAskIMU, func() { l.imuAt = now }
}

func (l *Link) nextLamps(time.Time) ([]byte, func()) {
	if l.phase != ready || !l.relight {
		return nil, nil
	}
	l.out.buffer = appendLamps(l.out.buffer[:0], l.lamps[0], l.lamps[1])
	return l.out.buffer, func() { l.relight = false }
}

func (l *Link) nextText(now time.Time) ([]byte, func()) {
	if l.phase != ready || now.Sub(l.textAt) < orderGap {
		return nil, nil
	}
	for k := range l.redraw {
		if i := (l.textLine + k) % ScreenLines; l.redraw[i] { // in turn: a line that changes all the time leaves room for the others
			l.out.buffer = appendText(l.out.buffer[:0], i, l.screen[i])
			return l.out.buffer, func() { l.redraw[i], l.textAt, l.textLine = false, now, i+1 }
		}
	}
	return nil, nil
}

// Show sets the lines of the text display. Only those that differ are written.
func (l *Link) Show(lines [ScreenLines]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, s := range lines {
		if l.screen[i] != s {
			l.screen[i], l.redraw[i] = s, true
		}
	}
}

// Light sets the lights at base and head.
func (l *Link) Light(base, head uint8) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if want := [2]uint8{base, head}; l.lamps != want {
		l.lamps, l.relight = want, true
	}
}

// Shown reports whether text and lights are as they were set.
func (l *Link) Shown() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.phase == ready && !l.relight && l.redraw == [ScreenLines]bool{}
}

// Enable is the stop path's line: low stands the wheels at once and keeps them so.
func (l *Link) Enable() hardware.Line { return enable{l} }

// enableName is the name of the line.
const enableName = "T 1"

type enable struct{ l *Link }

func (e enable) Name() string { return enableName }

// Set implements [hardware.Line]. Low writes the order to stand, and fails only if there is no port: the board stops by itself then.
func (e enable) Set(high bool) error {
	e.l.mu.Lock()
	defer e.l.mu.Unlock()
	was := e.l.permit
	e.l.permit = high
	switch {
	case !high && (was || e.l.order != [2]float64{}):
		e.l.stop()
	case high && e.l.phase != ready:
		e.l.permit = false
		return errGone
	}
	return nil
}

// Get implements [hardware.Line].
func (e enable) Get() (bool, error) {
	e.l.mu.Lock()
	defer e.l.mu.Unlock()
	return e.l.permit, nil
}

// Close implements [hardware.Line].
func (e enable) Close() error { return e.Set(false) }
