package hardware

import (
	"slices"
	"strings"
)

// Expressions that code names.
const (
	FaceNeutral = "neutral"
	FaceAsleep  = "asleep"
	FaceBlink   = "blink"
	FaceHappy   = "happy"
	FaceSad     = "sad"
	FaceSleepy  = "sleepy"
)

// Expressions are the names of the expressions that the display can show, in alphabetical order.
var Expressions = []string{
	"angry", FaceAsleep, FaceBlink, "charging", FaceHappy, "listening", "look_left", "look_right", "love", FaceNeutral, FaceSad, "scared",
	FaceSleepy, "surprised", "thinking",
}

// KnownExpression reports whether the display can show an expression, or digits.
func KnownExpression(name string) bool {
	_, digits := DigitsOf(name)
	return digits || slices.Contains(Expressions, name)
}

// EyesShut reports whether an expression has closed eyes, or none: they neither blink nor look anywhere.
func EyesShut(expression string) bool {
	return expression == FaceAsleep || expression == FaceBlink || strings.HasPrefix(expression, digitsPrefix)
}

// Digits are shown in place of eyes, in the way of a clock.
const (
	digitsPrefix = "digits "
	maxDigits    = 5
)

// Digits is the name under which the display shows a text of at most five digits and colons, such as "12:34".
func Digits(text string) string { return digitsPrefix + text }

// DigitsOf returns the text of such a name.
func DigitsOf(name string) (text string, ok bool) {
	text, ok = strings.CutPrefix(name, digitsPrefix)
	ok = ok && text != "" && len(text) <= maxDigits && strings.Trim(text, "0123456789:") == ""
	return text, ok
}
