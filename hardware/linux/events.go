package linux

import (
	"os"
	"sync"
	"syscall"
	"unsafe"

	"github.com/warthog618/go-gpiocdev"
	"github.com/warthog618/go-gpiocdev/uapi"
	"golang.org/x/sys/unix"
)

// events are the edges of some lines of one chip, kept by the kernel until they are read. They are requested with go-gpiocdev's
// system calls, but read here: its watcher takes a goroutine and one call an edge, tells nobody when the chip is gone, and then spins.
type events struct {
	mu     sync.Mutex
	fd     int // -1 after close
	buffer [64]uapi.LineEvent
}

// rising is the id of a rising edge.
const rising = uapi.LineEventRisingEdge

// watch requests the lines at offsets, and of each its edges. The kernel keeps the newest queue edges.
func watch(c *gpiocdev.Chip, consumer string, offsets []int, conf []LineConfig, edges []uapi.LineFlagV2, queue int) (*events, error) {
	r := uapi.LineRequest{Lines: uint32(len(offsets)), EventBufferSize: uint32(queue)}
	copy(r.Consumer[:len(r.Consumer)-1], consumer)
	for i, o := range offsets {
		r.Offsets[i] = uint32(o)
		flags(&r.Config, conf[i], edges[i], i)
	}
	chip, err := unix.Open("/dev/"+c.Name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(chip) }()
	if err := uapi.GetLine(uintptr(chip), &r); err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(int(r.Fd), true); err != nil {
		_ = unix.Close(int(r.Fd))
		return nil, err
	}
	return &events{fd: int(r.Fd)}, nil
}

// flags adds the options of the line with that index in a request.
func flags(config *uapi.LineConfig, c LineConfig, edges uapi.LineFlagV2, index int) {
	f := uapi.LineFlagV2Input | edges
	if c.ActiveLow {
		f |= uapi.LineFlagV2ActiveLow
	}
	switch c.Bias {
	case PullUp:
		f |= uapi.LineFlagV2BiasPullUp
	case PullDown:
		f |= uapi.LineFlagV2BiasPullDown
	case NoPull:
		f |= uapi.LineFlagV2BiasDisabled
	}
	mask := uapi.LineBitmap(0).Set(index, 1)
	config.AddAttribute(uapi.LineConfigAttribute{Attr: f.Encode(), Mask: mask})
	config.Flags = uapi.LineFlagV2Input | uapi.LineFlagV2EdgeBoth
	if c.Debounce > 0 {
		config.AddAttribute(uapi.LineConfigAttribute{Attr: uapi.DebouncePeriod(c.Debounce).Encode(), Mask: mask})
	}
}

// read returns waiting events, oldest first, at most limit of them; none if none waits. They are valid until the next call.
func (e *events) read(limit int) ([]uapi.LineEvent, error) {
	if e.fd < 0 {
		return nil, os.ErrClosed
	}
	const size = int(unsafe.Sizeof(uapi.LineEvent{}))
	limit = min(limit, len(e.buffer))
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&e.buffer)), limit*size)
	n, err := unix.Read(e.fd, raw)
	switch errno := errnoOf(err); errno {
	case 0:
		return e.buffer[:n/size], nil
	case syscall.EAGAIN, syscall.EINTR:
		return nil, nil
	default:
		return nil, errno
	}
}

// levels reads the lines now, by their index in the request.
func (e *events) levels(lines int) (uapi.LineBitmap, error) {
	if e.fd < 0 {
		return 0, os.ErrClosed
	}
	v := uapi.LineValues{Mask: uapi.NewLineBitMask(lines)}
	err := uapi.GetLineValuesV2(uintptr(e.fd), &v)
	return v.Bits, err
}

func (e *events) close() {
	if e.fd >= 0 {
		_ = unix.Close(e.fd)
		e.fd = -1
	}
}
