package calibrate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Terminal is an operator who reads and types. Its input is read on another goroutine, so that a signal ends a question.
type Terminal struct {
	out   io.Writer
	lines chan string
}

// NewTerminal returns an operator who types into in.
func NewTerminal(in io.Reader, out io.Writer) *Terminal {
	t := &Terminal{out: out, lines: make(chan string)}
	go func() {
		defer close(t.lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			t.lines <- strings.TrimSpace(s.Text())
		}
	}()
	return t
}

func (t *Terminal) line(ctx context.Context, prompt string) (string, error) {
	_, _ = fmt.Fprint(t.out, "  "+prompt+" ")
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, ok := <-t.lines:
		switch {
		case !ok:
			return "", errors.New("nobody answers: the input has ended")
		case line == "s":
			return "", ErrSkipped
		}
		return line, nil
	}
}

// Do waits for Enter.
func (t *Terminal) Do(ctx context.Context, _ Job, text string) error {
	_, err := t.line(ctx, text+" Enter when that is done, s leaves it out:")
	return err
}

// Number asks until it gets a number.
func (t *Terminal) Number(ctx context.Context, _ Quantity, text string) (float64, error) {
	for {
		line, err := t.line(ctx, text+" (s leaves it out)")
		if err != nil {
			return 0, err
		}
		v, err := strconv.ParseFloat(strings.Replace(line, ",", ".", 1), 64)
		if err == nil && v > 0 && v < 1e6 {
			return v, nil
		}
		_, _ = fmt.Fprintf(t.out, "  %q is no number above 0, such as 297.5\n", line)
	}
}

// Yes asks until it gets y or n; Enter is no.
func (t *Terminal) Yes(ctx context.Context, _ Question, text string) (bool, error) {
	for {
		line, err := t.line(ctx, text+" [y/N, s leaves it out]")
		switch {
		case err != nil:
			return false, err
		case line == "y" || line == "yes":
			return true, nil
		case line == "" || line == "n" || line == "no":
			return false, nil
		}
		_, _ = fmt.Fprintf(t.out, "  %q is neither y nor n\n", line)
	}
}
