package event

import (
	"fmt"
	"runtime"
	"strings"
)

// maxStack bounds the frames of a [Stack]. A deeper panic is a recursion, whose innermost frames suffice.
const maxStack = 64

// A Stack is the stack trace of a panic, innermost call first. It holds program counters, which cost a microsecond to collect
// and a hundred to format, so only a reader of the trace pays for the text. It is not modified after [CallStack]; any
// goroutine may format it. The zero Stack is that of no panic.
type Stack []uintptr

// CallStack collects the calls of its caller's goroutine. In a deferred function that recovers, those of the panic are among
// them.
func CallStack() Stack {
	var pcs [maxStack]uintptr
	return append(Stack(nil), pcs[:runtime.Callers(2, pcs[:])]...)
}

// String formats each call in two lines, like the runtime: function, then file and line.
func (s Stack) String() string {
	if len(s) == 0 {
		return ""
	}
	var b strings.Builder
	for frames := runtime.CallersFrames(s); ; {
		f, more := frames.Next()
		fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
		if !more {
			return b.String()
		}
	}
}
