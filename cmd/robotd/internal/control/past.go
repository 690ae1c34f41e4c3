package control

import (
	"encoding/json"
	"errors"

	"github.com/robotd/robotd/metrics/record"
)

// A Past answers what was: from the memory of a running robot, or from a recording. Times are seconds since the robot's start. An error
// wrapped in [ErrRefused] is the caller's mistake. All methods are safe for concurrent use.
type Past interface {
	// History tells what can be asked for.
	History() HistoryState
	// Over says that it does not go on: it is a recording.
	Over() bool
	// Tick is the newest tick at or before a time.
	Tick(at float64) (uint64, error)
	// State is the state view of a tick.
	State(tick uint64) (*State, error)
	Timeline(from, to float64) (*Timeline, error)
	// SeriesNames lists the numbers that Series takes.
	SeriesNames() []SeriesName
	// Series returns numbers over time, each in at most so many points.
	Series(names []string, from, to float64, points int) (*SeriesSet, error)
	// Activations lists when a behavior was on the stack.
	Activations(id string) ([]Activation, error)
	// Log lists the lines of at least a level that contain a text.
	Log(q LogQuery) ([]LogEntry, error)
	// Tree is the graph of delegates at the end of a tick; 0 is now, or the end of a recording.
	Tree(tick uint64) (*Tree, error)
	// Why tells why a behavior had control at the end of a tick, or had not.
	Why(id string, tick uint64) (*Why, error)
	// Budget is the time that the hooks of each behavior took in the last minute.
	Budget() ([]BudgetEntry, error)
}

// ErrNoPast says that a robot keeps no history.
var ErrNoPast = errors.New("this robot keeps no history")

// A HistoryState tells which part of a life can be read.
type HistoryState struct {
	First InstantState `json:"first"`
	Last  InstantState `json:"last"`
	Live  bool         `json:"live"` // the life goes on
	Gaps  []GapState   `json:"gaps"`
	Life  record.Life  `json:"life"`
}

// An InstantState is a tick and when it was.
type InstantState struct {
	Tick uint64  `json:"tick"`
	AtS  float64 `json:"at_s"`
}

// A GapState is a time that was not recorded.
type GapState struct {
	FromS  float64 `json:"from_s"`
	ToS    float64 `json:"to_s"`
	Reason string  `json:"reason"`
}

// A Timeline is what went on in a window of time. Layers and actions that reach into the window are whole at their begin, faces and intents
// begin at its first tick; ToS is nil for what had not ended at the end of the window.
type Timeline struct {
	FromS   float64      `json:"from_s"`
	ToS     float64      `json:"to_s"`
	Layers  []LayerSpan  `json:"layers"`  // by begin
	Actions []ActionSpan `json:"actions"` // by begin
	Face    []ValueSpan  `json:"face"`
	Intents []IntentSpan `json:"intents"`
	Events  []EventEntry `json:"events"`
	Skipped int          `json:"skipped"` // older events of the window that are not listed
	Gaps    []GapState   `json:"gaps"`
}

// A LayerSpan is the time of a behavior on the stack.
type LayerSpan struct {
	Depth int      `json:"depth"` // 0 is the base
	ID    string   `json:"id"`
	Class string   `json:"class"`
	FromS float64  `json:"from_s"`
	ToS   *float64 `json:"to_s"`
}

// An ActionSpan is the time of an action in its queue.
type ActionSpan struct {
	Tag    uint64   `json:"tag"`
	Slot   int      `json:"slot"`
	Name   string   `json:"name"`
	Owner  string   `json:"owner"`
	FromS  float64  `json:"from_s"`
	ToS    *float64 `json:"to_s"`
	Result string   `json:"result"` // empty while it runs
}

// A ValueSpan is the time of a value.
type ValueSpan struct {
	Value string   `json:"value"`
	FromS float64  `json:"from_s"`
	ToS   *float64 `json:"to_s"`
}

// An IntentSpan is the time in which an intent was pending or active.
type IntentSpan struct {
	State string   `json:"state"` // "pending", "active"
	Value string   `json:"value"`
	FromS float64  `json:"from_s"`
	ToS   *float64 `json:"to_s"`
}

// An EventEntry is something that happened.
type EventEntry struct {
	AtS  float64 `json:"at_s"`
	Tick uint64  `json:"tick"`
	Kind string  `json:"kind"`
	Who  string  `json:"who"`
	Text string  `json:"text"`
}

// A SeriesName is one number that can be plotted.
type SeriesName struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	Doc  string `json:"doc"`
}

// A SeriesSet is some numbers over time.
type SeriesSet struct {
	Names  []string          `json:"names"`
	FromS  float64           `json:"from_s"`
	ToS    float64           `json:"to_s"`
	Series map[string]Series `json:"series"`
}

// A Series is one number over time: what it was at most, at least and last in each of equal spans. A span without a value has none.
type Series struct {
	Unit string    `json:"unit"`
	T    []float64 `json:"t"` // begin of each span that has a value
	Min  []float64 `json:"min"`
	Max  []float64 `json:"max"`
	Last []float64 `json:"last"`
}

// An Activation is one time of a behavior on the stack.
type Activation struct {
	FromS float64  `json:"from_s"`
	ToS   *float64 `json:"to_s"` // nil: it still is
	By    string   `json:"by"`   // the behavior below it; empty for the base
}

// A LogQuery chooses lines of the log.
type LogQuery struct {
	FromS, ToS float64
	Level      string // the lowest; empty: all
	Text       string // that a line contains, in any case
}

// A Tree is the graph of who may delegate to whom.
type Tree struct {
	Base  string     `json:"base"`
	Nodes []TreeNode `json:"nodes"` // by ID
}

// A TreeNode is one behavior.
type TreeNode struct {
	ID        string          `json:"id"`
	Class     string          `json:"class"`
	File      string          `json:"file"`
	Line      int             `json:"line"`
	Params    json.RawMessage `json:"params"`    // its own object of the file
	Delegates []string        `json:"delegates"` // in priority order
	Links     []string        `json:"links"`
	Owner     string          `json:"owner,omitempty"` // of an anonymous behavior
	Label     string          `json:"label"`
	Doc       string          `json:"doc"` // of the class
	// State says that the class has no code on this robot: "stand-in" or "inert".
	State string `json:"state,omitempty"`
	// Origin says whether the file is built in or the user's own, if the resource folder lies over the built-in one.
	Origin string `json:"origin,omitempty"`
}

// A BudgetEntry is the time that the hooks of one behavior took.
type BudgetEntry struct {
	ID      string  `json:"id"`
	MeanUS  float64 `json:"mean_us"`
	P99US   float64 `json:"p99_us"`
	WorstUS float64 `json:"worst_us"`
	Calls   uint64  `json:"calls"`
	Share   float64 `json:"share"` // of the time of all hooks
}
