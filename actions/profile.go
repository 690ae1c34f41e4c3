package actions

// A Profile replaces the default speeds of motion. A zero field leaves the default; limits hold all the same. The speed that
// an action was given explicitly wins over it (spec/actions §5.1).
type Profile struct {
	DriveMMPS  float64 // forward
	BackMMPS   float64 // backward
	AccelMMPS2 float64 // of straight drives
	TurnRadPS  float64 // in place
}

// SetProfile sets the motion profile of every action that starts from now on, helpers and children of it included; what runs
// already keeps its own. The zero profile means the defaults.
func (l *List) SetProfile(p Profile) { l.profile = p }

// Profile is the motion profile in force.
func (l *List) Profile() Profile { return l.profile }
