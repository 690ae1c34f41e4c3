// Package frozen is a test. It runs the daemon and its body as two processes: the world, the emulated chips and the one-shot in
// one, mind, actors and drivers in the other, which reaches buses and lines over a socket as it would reach them through the
// kernel. Then it stops the daemon with SIGSTOP, or kills it, and the other process says when the wheels lost their power.
//
//	go test -v ./cmd/robotd/internal/frozen
package frozen
