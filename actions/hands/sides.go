package hands

import "math"

// The sides of a cube are numbered as on a die: see hardware.Object.

// axis is where a side of a cube is that stands upright and looks along x.
func axis(side uint8) [3]int {
	switch side {
	case 1:
		return [3]int{0, 0, 1}
	case 2:
		return [3]int{1, 0, 0}
	case 3:
		return [3]int{0, 1, 0}
	}
	a := axis(7 - side)
	return [3]int{-a[0], -a[1], -a[2]}
}

// LeftOf is the side to the left of a robot that looks out of the side fore of a cube with another side up: their cross product.
func LeftOf(up, fore uint8) uint8 {
	u, f := axis(up), axis(fore)
	left := [3]int{u[1]*f[2] - u[2]*f[1], u[2]*f[0] - u[0]*f[2], u[0]*f[1] - u[1]*f[0]}
	for side := uint8(1); side <= 6; side++ {
		if axis(side) == left {
			return side
		}
	}
	return 0
}

// RollFrom is the direction from a cube, in rad, in which the robot should stand to roll it, so that a side comes up after as few rolls as
// possible. The cube shows where its sides are by the roll before: that had the side was up and brought up the next one, for a robot in the
// direction from. It returns false if one of the sides is none of a die, or the two are not beside each other.
func RollFrom(want, was, up uint8, from float64) (direction float64, ok bool) {
	for _, side := range [...]uint8{want, was, up} {
		if side < 1 || side > 6 {
			return 0, false
		}
	}
	if was == up || was == 7-up {
		return 0, false
	}
	switch want {
	case was: // it looks at the robot now
		return from + math.Pi, true
	case LeftOf(up, was):
		return from - math.Pi/2, true
	case 7 - LeftOf(up, was):
		return from + math.Pi/2, true
	}
	return from, true // it is on the far side, or below: two rolls
}
