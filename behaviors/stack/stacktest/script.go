package stacktest

import (
	"errors"

	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources/tracetest"
)

// The words of scripts are those of package tracetest.
type (
	Step    = tracetest.Step
	Verb    = tracetest.Verb
	Moment  = tracetest.Moment
	Scripts = tracetest.Scripts
)

// The verbs.
const (
	Ask             = tracetest.Ask
	Delegate        = tracetest.Delegate
	CancelDelegates = tracetest.CancelDelegates
	CancelSelf      = tracetest.CancelSelf
	Facts           = tracetest.Facts
	Yes             = tracetest.Yes
	No              = tracetest.No
	Fail            = tracetest.Fail
)

// At is a hook of a behavior.
func At(id string, h stack.Hook) Moment { return Moment{ID: id, Hook: h.String()} }

// ParseScript reads one line such as
//
//	A.Update: ask B; delegate B
//
// into scripts.
func ParseScript(line string, into Scripts) error {
	return tracetest.Common(nil).Parse(tracetest.Line{File: "script", No: 1, Text: line}, into)
}

// ErrScripted is what a Fail step fails with. An engine's hooks fail by panics and report the same text.
var ErrScripted = errors.New("panic: scripted")

// ErrLost is what a Control returns when the incarnation that made the request was lost in a hook nested in it. The rest
// of the script is not run: nothing may still use a lost incarnation.
var ErrLost = errors.New("incarnation lost in a nested hook")
