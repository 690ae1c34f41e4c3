package config

import (
	"errors"
	"strings"

	"github.com/robotd/robotd/resources"
)

// prefix is that of all variables, and foreign that of those that tests of robotd give themselves.
const (
	prefix  = "ROBOTD_"
	foreign = "ROBOTD_TEST_"
)

// FileVariable is the variable that names the configuration file.
const FileVariable = prefix + "CONFIG"

// VariableOf is the variable of a setting.
func VariableOf(setting string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(setting, "-", "_"))
}

// environment adds what the variables say. One that no setting has is a mistake.
func (s Sources) environment(best map[string]given) error {
	settings, valid := map[string]string{}, []string{FileVariable}
	var mistakes []error
	for _, name := range names(s.Known) {
		settings[VariableOf(name)] = name
		valid = append(valid, VariableOf(name))
	}
	for _, entry := range s.Environ {
		variable, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(variable, prefix) || strings.HasPrefix(variable, foreign) || variable == FileVariable || text == "" {
			continue // an empty one is as if it were not there
		}
		name, ok := settings[variable]
		g := given{text: text, origin: Origin{Rank: Variable, Name: variable}}
		var err error
		if !ok {
			err = &Error{Text: resources.UnknownOr("setting with the variable", variable, valid, "robotd config lists the settings").Error()}
		} else {
			err = s.Rules.word(name, g)
		}
		switch {
		case err == nil:
			better(best, name, g)
		case !s.Salvage:
			return err
		default:
			mistakes = append(mistakes, err)
		}
	}
	return errors.Join(mistakes...)
}

// word checks a value of a setting that takes one of a few words.
func (r Rules) word(setting string, g given) error {
	words := r.Words[setting]
	for _, w := range words {
		if w == g.text {
			return nil
		}
	}
	if words == nil {
		return nil
	}
	return g.origin.wrong(setting, resources.Unknown(strings.ReplaceAll(setting, "-", " "), g.text, words).Error())
}
