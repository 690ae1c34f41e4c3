//go:build !race

package metrics

// slowdown is none without the race detector.
const slowdown = 1
