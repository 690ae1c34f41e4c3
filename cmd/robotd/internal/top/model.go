package top

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Pace of the questions to the robot.
const (
	stateEvery  = 500 * time.Millisecond
	budgetEvery = time.Second
	retryEvery  = time.Second
	keptEvents  = 200
	answerFor   = 8 * time.Second
)

// Messages. Each answer carries when it came.
type (
	stateMsg struct {
		state *control.State
		err   error
		at    time.Time
	}
	budgetMsg struct {
		rows []control.BudgetEntry
		err  error
	}
	recentMsg struct { // the events of the last minute, instead of those that are known
		events []control.EventEntry
		err    error
	}
	eventMsg struct {
		event control.EventEntry
		lost  int
	}
	answerMsg struct { // to a stop or a resume
		text string
		err  error
	}
	forgetMsg    int // the answer of that number is old
	askStateMsg  struct{}
	askBudgetMsg struct{}
)

// question is what waits for a y.
type question int

const (
	nothing question = iota
	askStop
	askResume
)

// model is the terminal view. Update and View touch nothing outside; what waits is in commands.
type model struct {
	ctx    context.Context
	robot  robot
	theme  theme
	live   Data // newest
	frozen *Data
	// gone is why no robot answers; nil if one does. It was last seen at seen, and asked at asked.
	gone        error
	seen, asked time.Time

	width, height int
	selected      int
	scroll        []int
	zoom, help    bool
	question      question
	stop          uint64 // the stop that askResume would end
	answer        line   // to the newest key
	answers       int    // from the robot so far
}

func newModel(ctx context.Context, r robot, t theme) *model {
	return &model{ctx: ctx, robot: r, theme: t, width: 80, height: 24, scroll: make([]int, len(sections))}
}

func (m *model) Init() tea.Cmd { return tea.Batch(m.askState, m.askBudget) }

func (m *model) askState() tea.Msg {
	s, err := m.robot.state(m.ctx)
	return stateMsg{s, err, time.Now()}
}

func (m *model) askBudget() tea.Msg {
	rows, err := m.robot.budget(m.ctx)
	return budgetMsg{rows, err}
}

func after(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m, m.key(msg.String())
	case askStateMsg:
		return m, m.askState
	case askBudgetMsg:
		return m, m.askBudget
	case stateMsg:
		return m, m.took(msg)
	case budgetMsg:
		m.live.Budget, m.live.NoBudget = msg.rows, ""
		if msg.err != nil {
			m.live.Budget, m.live.NoBudget = nil, msg.err.Error()
		}
		return m, after(budgetEvery, askBudgetMsg{})
	case recentMsg:
		m.began(msg)
	case eventMsg:
		m.happened(msg)
	case answerMsg:
		return m, m.answered(msg)
	case forgetMsg:
		if m.answers == int(msg) {
			m.answer = line{}
		}
	}
	return m, nil
}

// answered shows an answer for a while.
func (m *model) answered(msg answerMsg) tea.Cmd {
	m.answers++
	m.answer = ln(msg.text, good)
	if msg.err != nil {
		m.answer = ln(msg.err.Error(), bad)
	}
	return after(answerFor, forgetMsg(m.answers))
}

// took takes a state view, or that none came. The old one stays on the screen.
func (m *model) took(msg stateMsg) tea.Cmd {
	m.asked, m.gone = msg.at, msg.err
	if msg.err != nil {
		return after(retryEvery, askStateMsg{})
	}
	m.live.State, m.seen = msg.state, msg.at
	return after(stateEvery, askStateMsg{})
}

// began takes the events of the last minute. Those of a robot that is gone stay on the screen.
func (m *model) began(msg recentMsg) {
	m.live.NoEvents = ""
	switch {
	case msg.err == nil:
		m.live.Events = slices.Clone(msg.events)
	case !errors.Is(msg.err, control.ErrUnreachable):
		m.live.Events, m.live.NoEvents = nil, msg.err.Error()
	}
}

// happened adds an event. The frozen frame has a list of its own.
func (m *model) happened(msg eventMsg) {
	if msg.lost > 0 {
		lost := control.EventEntry{AtS: msg.event.AtS, Kind: "lost", Text: fmt.Sprintf("%d events: this terminal is too slow", msg.lost)}
		m.live.Events = append(m.live.Events, lost)
	}
	m.live.Events = append(m.live.Events, msg.event)
	if n := len(m.live.Events) - keptEvents; n > 0 {
		m.live.Events = slices.Clone(m.live.Events[n:])
	}
}

// shown is the data of the sections. The header always shows the newest.
func (m *model) shown() *Data {
	if m.frozen == nil {
		return &m.live
	}
	return m.frozen
}
