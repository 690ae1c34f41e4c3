package top

import (
	"fmt"
	"image/color"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// A theme gives each tone a style. The zero theme shows plain text.
type theme map[tone]lipgloss.Style

// colors are of the terminal's own palette. A terminal without colors shows bold and plain text: bubbletea leaves the rest out.
func colors() theme {
	in := func(c color.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }
	return theme{
		faint:   lipgloss.NewStyle().Faint(true),
		good:    in(lipgloss.Green),
		warn:    in(lipgloss.Yellow),
		bad:     in(lipgloss.Red),
		title:   lipgloss.NewStyle().Bold(true),
		stopped: lipgloss.NewStyle().Bold(true).Foreground(lipgloss.White).Background(lipgloss.Red),
	}
}

func (t theme) draw(l line) string {
	text := l.text
	if s, ok := t[l.tone]; ok && text != "" {
		text = s.Render(text)
	}
	if l.right != nil {
		text += t.draw(*l.right)
	}
	return text
}

func (m *model) View() tea.View {
	frame := m.frame()
	drawn := make([]string, len(frame))
	for i, l := range frame {
		drawn[i] = m.theme.draw(l)
	}
	v := tea.NewView(strings.Join(drawn, "\n"))
	v.AltScreen = true
	v.WindowTitle = "robotd top"
	return v
}

func (m *model) frame() []line {
	l := m.layout()
	if m.help {
		for _, h := range helpText {
			l.top = append(l.top, ln(h, plain))
		}
		return fill(l.top, l)
	}
	d := m.shown()
	head := m.live.State
	return d.frame(l, head)
}

func (m *model) layout() layout {
	l := layout{width: m.width, height: m.height, selected: m.selected, scroll: m.scroll, zoom: m.zoom, bottom: []line{m.footer()}}
	switch {
	case m.gone != nil && m.live.State != nil:
		l.top = wrap(fmt.Sprintf("gone for %s: %v", span(m.asked.Sub(m.seen).Seconds()), m.gone), m.width)
	case m.gone != nil:
		l.top = append(wrap(m.gone.Error(), m.width), ln("asking again every second", plain))
	case m.live.State == nil:
		l.top = []line{ln("asking the robot …", plain)}
	}
	return l
}

// wrap breaks an error into lines.
func wrap(text string, width int) []line {
	var out []line
	for _, l := range strings.Split(ansi.Wordwrap(clean(text), width, ""), "\n") {
		out = append(out, ln(l, bad))
	}
	return out
}

// footer is the question, the answer, or the keys.
func (m *model) footer() line {
	switch {
	case m.question == askStop:
		return ln("emergency stop? y stops the robot, any other key does not", stopped)
	case m.question == askResume:
		return ln(fmt.Sprintf("end stop %d? y lets the robot move again, any other key does not", m.stop), warn)
	case m.answer.text != "":
		return m.answer
	case m.frozen != nil:
		return ln("paused: p goes on; the header is live", warn)
	}
	return ln("q quit  e stop  r resume  p pause  tab section  ↑↓ scroll  enter zoom  ? help", faint)
}
