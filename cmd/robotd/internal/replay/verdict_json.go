package replay

import "encoding/json"

// verdictJSON is a Verdict for scripts. Times are seconds.
type verdictJSON struct {
	Ticks      uint64      `json:"ticks"`
	LivedS     float64     `json:"lived_s"`
	TookS      float64     `json:"took_s"`
	SpeedX     float64     `json:"speed_x"`
	Agrees     bool        `json:"agrees"` // all of it was decided, as it was recorded
	Parted     *partedJSON `json:"parted,omitempty"`
	Unreadable string      `json:"unreadable,omitempty"`
}

// partedJSON is the first tick that was decided otherwise. Lines of a tick are counted from 1, as in the text; 0 with Missed, which names
// a recorded failure of a hook that did not come.
type partedJSON struct {
	Tick     uint64   `json:"tick"`
	AtS      float64  `json:"at_s"`
	Line     int      `json:"line"`
	Recorded string   `json:"recorded,omitempty"`
	Here     string   `json:"here,omitempty"`
	Before   []string `json:"before,omitempty"`
	Missed   string   `json:"missed,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (v *Verdict) MarshalJSON() ([]byte, error) {
	j := verdictJSON{
		Ticks: v.Ticks, LivedS: v.Lived.Seconds(), TookS: v.Took.Seconds(), SpeedX: v.Speed(), Agrees: v.Parted == nil && v.Unreadable == nil,
	}
	if v.Unreadable != nil {
		j.Unreadable = v.Unreadable.Error()
	}
	if d := v.Parted; d != nil {
		j.Parted = &partedJSON{Tick: d.At.Tick, AtS: d.At.At.Seconds()}
		if d.Difference == nil {
			j.Parted.Missed = d.Verdict.Missed()
		} else {
			j.Parted.Line, j.Parted.Recorded, j.Parted.Here, j.Parted.Before = d.Difference.Line+1, d.Difference.A, d.Difference.B, d.Difference.Before
		}
	}
	return json.Marshal(j)
}
