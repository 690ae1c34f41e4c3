package hardware

import "io"

// A Serial is a serial port whose calls never wait. Emulated ports and real ones behave the same.
//
// Read takes the bytes that have come, none with a nil error if nothing has. Write takes as many as the kernel has room for, which may be
// none, with a nil error. When the port is gone both fail with ENODEV, for good: the port is to be opened again. Calls come from one
// goroutine at a time.
type Serial interface {
	io.ReadWriteCloser
}
