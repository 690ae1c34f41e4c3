package ugv

import (
	"bytes"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Times of the link.
const (
	askEvery     = 250 * time.Millisecond // T 130 while the board does not answer
	bootTime     = 8 * time.Second        // in which a board that was switched on answers
	settleTime   = time.Second            // in which a board that was set up sends on its own
	feedGap      = 40 * time.Millisecond  // between two messages of the board: some 45 % of the line for the ROS firmware
	orderGap     = 50 * time.Millisecond  // between two orders to the wheels
	timeoutEvery = time.Second            // T 136 again
	imuGap       = 50 * time.Millisecond  // between two questions for the inertial sensor of the general firmware
	lostAfter    = 500 * time.Millisecond // without a message: the board may have been reset
	echoGrace    = 500 * time.Millisecond // after T 143, in which an echo is an old one
	jumpMM       = 40.0                   // an odometer that was farther from 0 than this and is at 0 was reset
)

// Fresh is how old a message may be while the wheels turn: three gaps and a bit.
const Fresh = 150 * time.Millisecond

// errGone is the error of a port that is not there.
var errGone = fmt.Errorf("the serial port is gone: %w", syscall.ENODEV)

// phase is what the link waits for.
type phase uint8

const (
	closed  phase = iota // no port
	asking               // the board has not answered T 130
	setting              // it was told how it is to behave and has not sent a message since
	ready
)

// Counts are totals of a link.
type Counts struct {
	Messages uint64 // messages that were understood
	Skipped  uint64 // lines of text, echoes and messages of no interest
	Broken   uint64 // lines that begin as an object and are none, and lines that are too long
	Rejected uint64 // messages with numbers missing
	Resets   uint64 // of the board, as far as seen
	Written  uint64 // bytes
}

// A Link is the serial line to one board. Several devices share it. All methods are safe for concurrent use, and none waits.
type Link struct {
	conf Config
	open func() (hardware.Serial, error)

	mu      hardware.Guard
	port    hardware.Serial
	phase   phase
	since   time.Time // of the phase
	refused error     // why the board is not the one that was expected
	in      splitter
	msg     message
	read    [512]byte

	out       writer
	permit    bool       // the stop path lets the wheels turn
	order     [2]float64 // numbers of T 1
	zeros     int        // orders to stand that are due
	orderedAt time.Time  // it was given
	orderAt   time.Time  // of the newest T 1
	textAt    time.Time  // of the newest T 3
	textLine  int        // that comes next
	askAt     time.Time
	aliveAt   time.Time // of the newest T 136
	imuAt     time.Time
	screen    [ScreenLines]string
	redraw    [ScreenLines]bool
	lamps     [2]uint8
	relight   bool
	bytesIn   uint64 // since the phase began
	textIn    uint64 // of these, text
	objects   uint64 // of the lines, JSON objects
	version   string
	counts    Counts
	epoch     uint64 // set-ups that were finished
	base      Base
	odometer  [2]float64 // distances by the odometers over all resets of the board, mm
	baseSeq   uint64
	baseAt    time.Time
	inertia   Inertia
	imuSeq    uint64
	imuSeen   time.Time
}

// New returns the link to a board. open opens its port; it is called again after the port was lost.
func New(c Config, open func() (hardware.Serial, error)) (*Link, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Link{conf: c, open: open}, nil
}

// Alone lets one goroutine at a time use the link without a lock. It is called before the link is used.
func (l *Link) Alone() { l.mu.LeaveOpen() }

// Config is what the link was made for.
func (l *Link) Config() Config { return l.conf }

// Open opens the port if it is not open, and asks the board who it is. It does not wait for the answer: [Link.Pump] takes it.
func (l *Link) Open(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.port != nil {
		if l.refused != nil { // whoever opens wants to know again
			l.restart(now)
		}
		return nil
	}
	port, err := l.open()
	if err != nil {
		return gone(err)
	}
	l.port = port
	l.restart(now)
	return nil
}

// restart begins with the question who the board is; mu is held.
func (l *Link) restart(now time.Time) {
	l.phase, l.since, l.refused = asking, now, nil
	l.bytesIn, l.textIn, l.objects = 0, 0, 0
	l.askAt, l.order, l.zeros = time.Time{}, [2]float64{}, 2
	l.out.clear()
	l.in.reset()
}

// gone classifies an error of a serial port: whatever fails there, nobody answers any more.
func gone(err error) error {
	switch {
	case errors.Is(err, errGone), errors.Is(err, syscall.ENODEV) && err.Error() == syscall.ENODEV.Error(): // a bare errno tells nothing more
		return errGone
	case errors.Is(err, syscall.ENODEV), errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EBUSY), errors.Is(err, syscall.EPERM):
		return err
	}
	return fmt.Errorf("%w (%v)", errGone, err) //nolint:errorlint // not wrapped: EIO of a bus is another matter
}

// Close stands the wheels, darkens the board and closes the port.
func (l *Link) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.port == nil {
		return nil
	}
	l.stop()
	return l.drop()
}

// drop closes the port; mu is held.
func (l *Link) drop() error {
	err := l.port.Close()
	l.port, l.phase = nil, closed
	return err
}

// Pump takes what has come and writes what is due. It fails if the port is gone, or if the board is not the one that was expected.
func (l *Link) Pump(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.port == nil {
		return errGone
	}
	err := l.take(now)
	if err == nil {
		l.watch(now)
		err = l.give(now)
	}
	if err != nil {
		_ = l.drop()
		return gone(err)
	}
	return l.refused
}

// take reads what has come. It is bounded: a board that sends more is read on by the next call.
func (l *Link) take(now time.Time) error {
	for range 8 {
		n, err := l.port.Read(l.read[:])
		if err != nil {
			return err
		}
		l.bytesIn += uint64(n)
		l.textIn += uint64(readable(l.read[:n]))
		l.counts.Broken += uint64(l.in.add(l.read[:n], func(line []byte) { l.line(now, line) }))
		if n < len(l.read) {
			break
		}
	}
	return nil
}

// line takes one line.
func (l *Link) line(now time.Time, line []byte) {
	switch {
	case len(line) == 0:
	case line[0] != '{':
		l.counts.Skipped++
		l.text(now, line)
	case !l.msg.parse(line):
		l.counts.Broken++
	default:
		l.objects++
		l.message(now)
	}
}

// Words of the text that a board writes when it starts: the chip's own loader, and both firmwares.
var bootWords = [][]byte{[]byte("rst:0x"), []byte("version: "), []byte("ugv_base")}

// text takes a line that is no message.
func (l *Link) text(now time.Time, line []byte) {
	for _, w := range bootWords {
		if !bytes.Contains(line, w) {
			continue
		}
		if _, v, ok := bytes.Cut(line, []byte("version: ")); ok {
			l.version = string(v[:min(len(v), 16)])
		}
		l.wasReset(now)
		return
	}
}

// wasReset begins anew after a sign that the board was reset.
func (l *Link) wasReset(now time.Time) {
	if l.phase == setting || l.phase == ready {
		l.counts.Resets++
		l.restart(now)
	}
}

// message takes an object with a type.
func (l *Link) message(now time.Time) {
	switch int(l.msg.T.v) {
	case typeBase:
		l.takeBase(now)
	case typeInertia:
		s, ok := l.msg.inertia(General)
		if l.conf.Firmware == General && l.phase == ready {
			l.takeInertia(now, s, ok)
		}
	case 1: // an echo of an order
		l.counts.Skipped++
		if l.phase == ready && now.Sub(l.since) > echoGrace {
			l.wasReset(now)
		}
	default:
		l.counts.Skipped++
	}
}

func (l *Link) takeBase(now time.Time) {
	if l.phase == asking && l.askAt.IsZero() {
		return // of before our question
	}
	got := l.msg.firmware()
	b, ok := l.msg.base(got)
	switch {
	case got == "" || !ok:
		l.counts.Rejected++
		return
	case got != l.conf.Firmware:
		l.refused = &hardware.DeviceError{
			Device: l.conf.Name, Op: "identify", Cause: hardware.CauseWrongID,
			Err: fmt.Errorf("the board runs the firmware %q%s; the robot's profile says %q", got, l.named(), l.conf.Firmware),
		}
		return
	case l.phase == ready && jumped(l.base, b):
		l.wasReset(now)
		return
	}
	l.counts.Messages++
	l.odometry(b)
	l.base, l.baseAt = b, now
	l.baseSeq++
	if got == ROS {
		s, ok := l.msg.inertia(ROS)
		l.takeInertia(now, s, ok)
	}
	l.progress(now)
}

func (l *Link) named() string {
	if l.version == "" {
		return ""
	}
	return " " + l.version
}

func (l *Link) takeInertia(now time.Time, s Inertia, ok bool) {
	if !ok {
		l.counts.Rejected++
		return
	}
	l.inertia, l.imuSeen = s, now
	l.imuSeq++
}

// jumped reports whether the odometers fell to 0.
func jumped(old, b Base) bool {
	far := max(old.LeftMM, -old.LeftMM, old.RightMM, -old.RightMM) > jumpMM
	return far && b.LeftMM == 0 && b.RightMM == 0
}

// odometry adds what the odometers grew by. After a reset of the board they begin at 0 again, and what they show was driven since.
func (l *Link) odometry(b Base) {
	old := l.base
	if l.baseSeq == 0 { // where they stand at the begin means nothing
		old = b
	} else if jumped(old, b) {
		old = Base{}
	}
	l.odometer[0] += b.LeftMM - old.LeftMM
	l.odometer[1] += b.RightMM - old.RightMM
}

// progress goes on with the set-up after a message.
func (l *Link) progress(now time.Time) {
	switch l.phase {
	case asking:
		l.phase, l.since = setting, now
		l.setUp(now)
	case setting:
		if l.out.idle() && now.Sub(l.since) >= feedGap {
			l.phase, l.since, l.imuAt = ready, now, now
			l.epoch++
		}
	}
}

// setUp queues what the board is told first: whose wheels it drives, because all speeds depend on it.
func (l *Link) setUp(now time.Time) {
	robot := fmt.Appendf(nil, "{\"T\":900,\"main\":%d,\"module\":0}\n", l.conf.Main)
	l.out.queue(robot, intCommand(136, "cmd", millis(l.conf.Timeout)), intCommand(142, "cmd", millis(feedGap)), cmdFlow, cmdNoEcho, cmdNoAddOn)
	l.aliveAt, l.relight = now, l.lamps != [2]uint8{}
	for i := range l.redraw {
		l.redraw[i] = l.screen[i] != ""
	}
}

// watch finds a board that does not answer.
func (l *Link) watch(now time.Time) {
	switch {
	case l.refused != nil:
	case l.phase == asking && now.Sub(l.since) > bootTime:
		l.refused = l.silence()
	case l.phase == setting && now.Sub(l.since) > settleTime, l.phase == ready && now.Sub(l.baseAt) > lostAfter:
		l.wasReset(now)
	}
}

// silence tells why a board did not answer T 130, as far as what came tells.
func (l *Link) silence() error {
	why := "nothing comes: is the board switched on, and is this its port?"
	cause := hardware.CauseTimeout
	switch {
	case l.objects > 0:
		cause, why = hardware.CauseWrongID, "it answers, but not T 130 with T 1001: a firmware from before 2024 is not driven, because its speeds are in other units"
	case l.bytesIn > 64 && l.textIn*5 < l.bytesIn*4:
		cause, why = hardware.CauseWrongID, "what comes is no text at 115200 baud: a firmware from before 2024 talks at 1000000 baud and is not driven"
	case l.bytesIn > 64:
		cause, why = hardware.CauseWrongID, "what comes is text, but no board's"
	}
	return &hardware.DeviceError{Device: l.conf.Name, Op: "identify", Cause: cause, Err: fmt.Errorf("no answer to T 130 for %v: %s", bootTime, why)}
}
