//go:build race

package metrics

// slowdown is the allowance for the race detector.
const slowdown = 20
