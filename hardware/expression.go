package hardware

import "slices"

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

// KnownExpression reports whether the display can show an expression.
func KnownExpression(name string) bool { return slices.Contains(Expressions, name) }

// EyesShut reports whether an expression has closed eyes: they neither blink nor look anywhere.
func EyesShut(expression string) bool { return expression == FaceAsleep || expression == FaceBlink }
