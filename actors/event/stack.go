package event

import (
	"fmt"
	"runtime"
	"strings"
)

// maxStack bounds the frames of a [Stack]: a panic deeper than that is a recursion, whose innermost frames tell it all.
const maxStack = 64

// A Stack is where a goroutine was when it panicked, innermost call first: program counters, which cost a microsecond to note
// and a hundred to word, so that whoever reads them pays. It is not modified after [CallStack]; any goroutine may word it. The
// zero Stack is that of no panic.
type Stack []uintptr

// CallStack notes the calls of its caller's goroutine. In a deferred function that recovers, those of the panic are among
// them.
func CallStack() Stack {
	var pcs [maxStack]uintptr
	return append(Stack(nil), pcs[:runtime.Callers(2, pcs[:])]...)
}

// String words one call in two lines, like the runtime: function, then file and line.
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
