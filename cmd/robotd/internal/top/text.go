package top

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// A tone says what a line means; the theme gives it a color.
type tone int

const (
	plain tone = iota
	faint
	good
	warn
	bad
	title
	stopped
)

// A line is one line of a frame.
type line struct {
	text  string
	tone  tone
	right *line // what stands beside it, in the second column
}

// plain is the line without colors.
func (l *line) plain() string {
	if l.right == nil {
		return l.text
	}
	return l.text + l.right.text
}

// A cell is one column of a line.
type cell struct {
	text  string
	width int
	right bool // aligned
}

// row joins cells of fixed widths. A width of 0 is what the others leave; only one cell has it.
func row(width int, cells ...cell) string {
	rest := width - (len(cells) - 1)
	for _, c := range cells {
		rest -= c.width
	}
	parts := make([]string, len(cells))
	for i, c := range cells {
		if c.width == 0 {
			c.width = max(0, rest)
		}
		parts[i] = fit(c.text, c.width, c.right)
	}
	return strings.Join(parts, " ")
}

// fit makes a text exactly as wide as width.
func fit(text string, width int, right bool) string {
	text = clip(text, width)
	pad := strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
	if right {
		return pad + text
	}
	return text + pad
}

// clip makes a text at most as wide as width.
func clip(text string, width int) string { return ansi.Truncate(clean(text), max(0, width), "…") }

// clean replaces what a terminal would obey instead of show: texts contain names and reasons that others wrote.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
}

// span is a duration of s seconds as people read it.
func span(s float64) string {
	n := int64(max(0, s))
	switch {
	case n < 60:
		return fmt.Sprintf("%.1f s", max(0, s))
	case n < 3600:
		return fmt.Sprintf("%d:%02d", n/60, n%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
}

// age is milliseconds as people read them.
func age(ms float64) string {
	if ms < 10000 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return span(ms / 1000)
}

func ln(text string, t tone) line { return line{text: text, tone: t} }
