package top

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// helpText explains the keys.
var helpText = []string{
	"q, Ctrl-C    quit",
	"e            emergency stop; y confirms",
	"r            end the emergency stop that is shown; y confirms",
	"p            pause: freeze the sections; the header stays live",
	"tab          next section; Shift-tab: the one before",
	"up, down     scroll the section; page keys, Home and End too",
	"enter        show the section alone, and back",
	"?            this help; any key closes it",
}

// key acts on one key. While a question waits, every key but y is a no.
func (m *model) key(k string) tea.Cmd {
	if k == "ctrl+c" {
		return tea.Quit
	}
	if m.question != nothing {
		return m.reply(k == "y" || k == "Y")
	}
	if m.help {
		m.help = false
		return nil
	}
	m.answer = line{}
	switch k {
	case "q":
		return tea.Quit
	case "e":
		m.question = askStop
	case "r":
		m.askToResume()
	case "p":
		m.pause()
	case "?":
		m.help = true
	case "enter":
		m.zoom = !m.zoom
	default:
		m.move(k)
	}
	return nil
}

// reply ends the question. A yes is sent at once, beside every other request.
func (m *model) reply(yes bool) tea.Cmd {
	q, stop := m.question, m.stop
	m.question = nothing
	switch {
	case !yes:
		m.answer = ln("nothing was sent", plain)
		return nil
	case q == askStop:
		m.answer = ln("stopping …", warn)
		return func() tea.Msg {
			text, err := m.robot.estop(m.ctx)
			return answerMsg{text, err}
		}
	}
	m.answer = ln(fmt.Sprintf("ending stop %d …", stop), warn)
	return func() tea.Msg {
		text, err := m.robot.resume(m.ctx, stop)
		return answerMsg{text, err}
	}
}

// askToResume takes the number of the stop that is on the screen now: a later stop stays.
func (m *model) askToResume() {
	s := m.live.State
	if s == nil || !s.EStop {
		m.answer = ln("the robot is not stopped", plain)
		return
	}
	m.question, m.stop = askResume, s.Stop.Number
}

func (m *model) pause() {
	if m.frozen != nil {
		m.frozen = nil
		return
	}
	d := m.live
	d.Events = slices.Clone(d.Events)
	m.frozen = &d
}

// move selects and scrolls.
func (m *model) move(k string) {
	steps := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10, "home": -1 << 30, "end": 1 << 30}
	n := len(sections)
	switch k {
	case "tab", "right":
		m.selected = (m.selected + 1) % n
	case "shift+tab", "left":
		m.selected = (m.selected + n - 1) % n
	default:
		at := &m.scroll[m.selected]
		*at = max(0, min(*at+steps[k], m.last(m.selected)))
	}
}

// last is how far a section can be scrolled as it is shown now.
func (m *model) last(s int) int {
	d := m.shown()
	if d.State == nil {
		return 0
	}
	return d.lastOffset(m.layout(), m.live.State, s)
}
