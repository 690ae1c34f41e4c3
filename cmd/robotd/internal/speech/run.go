package speech

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// reapTime is how long a killed program's pipes are waited for.
const reapTime = 300 * time.Millisecond

// errTooMuch is the error of a program that writes more than is taken.
var errTooMuch = errors.New("it writes more than a minute of sound")

// A bounded buffer takes so many bytes; one more is an error, which ends the program. It does not embed its buffer, whose ReadFrom would
// take everything.
type bounded struct {
	buf  bytes.Buffer
	left int
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.full = true
		return 0, errTooMuch
	}
	b.left -= len(p)
	return b.buf.Write(p)
}

// run runs a program with that input and returns what it writes. When ctx ends, the program is killed with all that it started.
func run(ctx context.Context, program []string, input []byte, most int) ([]byte, error) {
	c := exec.CommandContext(ctx, program[0], program[1:]...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = reapTime
	out, said := &bounded{left: most}, &bounded{left: 4096}
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), out, said
	err := c.Run()
	if c.Process != nil { // what it left behind
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case out.full:
		err = errTooMuch
	}
	if err != nil {
		text, _, _ := strings.Cut(strings.TrimSpace(said.buf.String()), "\n")
		if text != "" {
			text = ": " + text
		}
		return nil, fmt.Errorf("%s: %w%s", program[0], err, text)
	}
	return out.buf.Bytes(), nil
}
