package condition

// RefUnsupported is the kind of the references that name a condition type whose facts this robot does not have.
const RefUnsupported = "unsupported condition"

// notSupported is the finding of a condition whose facts this robot does not have.
const notSupported = "not supported on this robot"

// Names of the members of the enumeration of types that no file can give.
const (
	typeInvalid = "Invalid"
	typeLambda  = "Lambda"
)

// unsupportedKinds are the types whose keys are read and checked, and whose facts this robot does not have: they are never met.
func unsupportedKinds() []kind {
	never := func(name string, keys []string, read func(r *reader)) kind {
		return kind{name: name, keys: keys, unsupported: true, build: func(r *reader) Condition {
			if read != nil {
				read(r)
			}
			return r.unsupported(name)
		}}
	}
	return []kind{
		never("AlexaInteractionActive", nil, nil),
		never("IsMaintenanceReboot", nil, nil),
		never("ObjectMoved", []string{"objectTypes"}, func(r *reader) { r.objectTypes() }),
		never("SettingsUpdatePending", []string{"setting"}, func(r *reader) { r.wordOr("setting", "", settings()) }),
	}
}

// unsupported returns a condition that is never met, and notes the type for the catalog, which tells it once.
func (r *reader) unsupported(name string) Condition {
	if !r.bad {
		r.Mention(RefUnsupported, name)
	}
	return newFlag(name, func(_ *View, f *facts) { *f = facts{} }, func(*facts) (string, Values) { return notSupported, nil }).
		needing(func(*facts, bool) string { return "nothing can change this: " + name + " is " + notSupported })
}

// Unsupported lists the types whose facts this robot does not have, sorted: they are read from a file and never met.
func Unsupported() []string {
	var names []string
	for _, k := range kinds() {
		if k.unsupported {
			names = append(names, k.name)
		}
	}
	return names
}

func connectionTypes() []string { return []string{"Unspecified", "Interactable", "Background"} }

// settings are what a user can set on the robot.
func settings() []string {
	return []string{
		"clock_24_hour", "eye_color", "default_location", "dist_is_metric", "locale", "master_volume", "temp_is_fahrenheit", "time_zone", "button_wakeword",
	}
}

// fromCode reports a member of the enumeration that a file cannot give.
func (r *reader) fromCode(name string) {
	what := "stands for no condition"
	if name == typeLambda {
		what = "is made by code alone; give it a name there and write customCondition here"
	}
	r.fail(keyType, "%s %s", name, what)
}
