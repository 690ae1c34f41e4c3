package hardware

import "time"

// A Line is one GPIO line by kernel name ("MOTOR_EN"), requested once by one owner. Emulated lines and real ones
// behave the same. Set and Get are safe for concurrent use: the safe-stop path must not wait for a mailbox.
type Line interface {
	Name() string
	// Set drives an output. It fails on an input, on a released line and when the chip is gone (ENODEV).
	Set(high bool) error
	// Get reads the level.
	Get() (bool, error)
	// Close releases the line; an output falls back to its pull.
	Close() error
}

// Lines opens GPIO lines.
type Lines interface {
	// Output requests the line as an output with an initial level. EBUSY if it is taken.
	Output(name string, initial bool) (Line, error)
	// Input requests the line as an input.
	Input(name string) (Line, error)
	// Encoder requests two input lines as a quadrature pair and counts edges of a period: 4 are all edges of both lines, 2 all of a, 1 the
	// rising ones of a.
	Encoder(a, b string, edges int) (Encoder, error)
	// Edges requests the line as an input whose changes of level are kept with their times.
	Edges(name string) (Edges, error)
}

// An Encoder counts wheel ticks. With all four edges of a period the count has a sign. With fewer it only grows: when an edge is read, line
// B has long changed again, so the caller must know which way the wheel turns.
type Encoder interface {
	// Count is the number of counts since the request. It is false once for edges that the kernel lost since the last call, and always
	// when the lines are gone. Edges that came too fast for the interrupt handler are missing without a sign.
	Count() (int64, bool)
	Close() error
}

// EncoderQueue is how many edges wait for the reader of an encoder: the most that the kernel keeps for one request.
const EncoderQueue = 1024

// EdgeQueue is how many edges of one line wait to be taken. If one more comes, the oldest is lost.
const EdgeQueue = 16

// An Edge is one change of level.
type Edge struct {
	// At is when the level changed, by the kernel's event time: not when the process woke. Its origin is the board's; only
	// differences mean something.
	At time.Duration
	// Rising tells the direction. Of a pulse too short for the kernel's interrupt handler it may be wrong, or one of the two
	// edges missing, so a reader checks that edges alternate.
	Rising bool
	// Seq counts the edges of the line since the request, from 1, lost ones included: a gap tells how many.
	Seq uint32
}

// Edges keeps the changes of level of one input line. It has one owner.
type Edges interface {
	// Name is the line's.
	Name() string
	// Take moves the oldest waiting edges into buf and returns how many; it does not wait. It fails on a released line and
	// when the chip is gone (ENODEV).
	Take(buf []Edge) (int, error)
	// Get reads the level.
	Get() (bool, error)
	Close() error
}
