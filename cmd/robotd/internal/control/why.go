package control

// A Why tells what a behavior was asked in one tick, what it answered, and on what that rests.
type Why struct {
	ID    string  `json:"id"`
	Tick  uint64  `json:"tick"`
	AtS   float64 `json:"at_s"`
	Text  string  `json:"text"` // the most important sentence
	Class string  `json:"class"`
	File  string  `json:"file"`
	Line  int     `json:"line"`
	// Status is "in_control", "active", "in_scope" or "out_of_scope".
	Status string `json:"status"`
	// Asked says that it was asked in this tick; the answer is otherwise that of AskedTick, if there was one.
	Asked      bool    `json:"asked"`
	AskedTick  uint64  `json:"asked_tick"` // 0: never
	AskedS     float64 `json:"asked_s"`
	Wanted     bool    `json:"wanted"`
	Asker      string  `json:"asker"`         // who asked, or would ask
	Before     []WhyOf `json:"before"`        // whom that one asked before it, in order
	Won        string  `json:"won"`           // to whom that one has given control; empty for nobody
	Suppressed string  `json:"suppressed_by"` // who keeps it from being activated
	// SinceTick is the first tick from which on it has been so: the same answer by the same gate, the same status.
	// 0: nobody asks it, and that for longer than five minutes.
	SinceTick uint64    `json:"since_tick"`
	SinceS    float64   `json:"since_s"`
	Gates     []WhyGate `json:"gates"` // in order
	Needs     []string  `json:"needs"` // what would have to change, all of it
	Delegates []WhyOf   `json:"delegates,omitempty"`
	State     WhyState  `json:"state"`
}

// A WhyState is what a behavior publishes of itself.
type WhyState struct {
	Debug string `json:"debug"` // its debug state
}

// A WhyOf is the answer of another behavior in one line.
type WhyOf struct {
	ID     string `json:"id"`
	Asked  bool   `json:"asked"`
	Wanted bool   `json:"wanted"`
	Text   string `json:"text"`
}

// A WhyGate is one gate or condition, in the order in which they are looked at.
type WhyGate struct {
	Name   string         `json:"name"`
	Met    *bool          `json:"met"` // null: not reached
	Values map[string]any `json:"values"`
	Text   string         `json:"text"`
	Parts  []WhyGate      `json:"parts,omitempty"`
}

// A SentenceState says what the robot does, and why.
type SentenceState struct {
	Text string `json:"text"` // "Exploring: turning away"
	ID   string `json:"id"`   // the behavior in control
	Why  string `json:"why"`
}

// A BannerState is one thing that holds the robot back.
type BannerState struct {
	Level  string  `json:"level"` // "error", "warn" or "info"
	Key    string  `json:"key"`   // of the thing: it stays while the text changes
	Text   string  `json:"text"`
	SinceS float64 `json:"since_s"` // robot time
}
