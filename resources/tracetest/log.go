package tracetest

import (
	"fmt"
	"strings"
)

// A Log records lines as they come about, nested ones indented below the line that caused them. It is not safe for concurrent
// use: exactly one hook runs at any time.
type Log struct {
	lines []string
	depth int
}

// Printf records a line.
func (l *Log) Printf(format string, args ...any) {
	l.lines = append(l.lines, strings.Repeat("  ", l.depth)+fmt.Sprintf(format, args...))
}

// Enter records a line that what follows belongs to, up to Leave.
func (l *Log) Enter(line string) (at int) {
	l.Printf("%s", line)
	l.depth++
	return len(l.lines) - 1
}

// Leave ends the newest Enter.
func (l *Log) Leave() { l.depth-- }

// Add appends to a line that Enter recorded.
func (l *Log) Add(at int, text string) { l.lines[at] += text }

// Lines returns and forgets what was recorded.
func (l *Log) Lines() []string {
	lines := l.lines
	l.lines = nil
	return lines
}
