package actions

// A Profile replaces the default speeds of motion, within the limits. A zero field keeps the default. A speed that an
// action was given explicitly takes precedence.
type Profile struct {
	DriveMMPS  float64 // forward
	BackMMPS   float64 // backward
	AccelMMPS2 float64 // of straight drives
	TurnRadPS  float64 // in place
}

// SetProfile sets the motion profile of actions that start from now on, helpers and children included. Running actions
// keep theirs. The zero profile means the defaults.
func (l *List) SetProfile(p Profile) { l.profile = p }

// Profile is the motion profile in force.
func (l *List) Profile() Profile { return l.profile }
