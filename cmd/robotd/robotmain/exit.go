package robotmain

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/resources"
)

// The exit codes, the same for every command. The unit file does not restart after exitUsage and exitFindings.
const (
	exitOK          = 0
	exitFailure     = 1 // something went wrong at run time
	exitUsage       = 2 // the command line is invalid
	exitFindings    = 3 // findings in behavior files or in the lives of a soak, an invalid configuration, or a replay that decides otherwise
	exitUnreachable = 4 // no daemon answers
)

// An exitError carries its exit code. An empty text means that the diagnostics were printed already.
type exitError struct {
	code     int
	text     string
	findings resources.Diagnostics // about a file; they are printed as they are
	settings []string              // whose values are wrong; nil if it is about no setting
}

func (e *exitError) Error() string { return e.text }

// usage returns the error of a mistake on the command line.
func usage(format string, args ...any) error {
	return &exitError{code: exitUsage, text: fmt.Sprintf(format, args...)}
}

// wrong returns the error of a wrong value of settings, which may stand on the command line or elsewhere; see locate.
func wrong(settings []string, format string, args ...any) error {
	return &exitError{code: exitUsage, text: fmt.Sprintf(format, args...), settings: settings}
}

// findings returns the error of a command that printed diagnostics.
func findings() error { return &exitError{code: exitFindings} }

// report prints an error and returns its exit code.
func report(w io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	code := exitFailure
	var e *exitError
	switch {
	case errors.As(err, &e) && e.findings != nil:
		_, _ = fmt.Fprintln(w, e.findings)
		return e.code
	case errors.As(err, &e):
		code = e.code
	case errors.Is(err, control.ErrUnreachable):
		code = exitUnreachable
	}
	if text := strings.TrimSpace(err.Error()); text != "" {
		_, _ = fmt.Fprintf(w, "robotd: %s\n", strings.ReplaceAll(text, "\n", "\nrobotd: "))
	}
	return code
}
