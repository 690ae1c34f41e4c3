//go:build !race

package metrics

// slowdown is the allowance for the race detector, which is off.
const slowdown = 1
