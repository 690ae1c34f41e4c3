package hardware

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
	// Encoder requests two input lines as a quadrature pair and counts their edges.
	Encoder(a, b string) (Encoder, error)
}

// An Encoder counts wheel ticks with sign: four counts a quadrature period.
type Encoder interface {
	// Count is the signed number of counts since the request, and false if the kernel lost edges.
	Count() (int64, bool)
	Close() error
}
