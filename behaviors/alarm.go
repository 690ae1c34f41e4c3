package behaviors

import "time"

// Alarm is the one timer that people set by voice or page. It belongs to the robot and not to a behavior: it runs on when the behavior that
// set it ends. The view shows it as [condition.Alarm].
type Alarm struct{ c *Control }

// Alarm is its handle.
func (c *Control) Alarm() Alarm { return Alarm{c} }

// Set makes the alarm ring after d. An alarm that is set already is refused and stays.
func (h Alarm) Set(d time.Duration) bool { return h.c.do(Request{Kind: ReqSetAlarm, Args: d}).OK }

// Clear takes the alarm back, whether it rings or not. Without one it is refused.
func (h Alarm) Clear() bool { return h.c.do(Request{Kind: ReqClearAlarm}).OK }
