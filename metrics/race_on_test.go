//go:build race

package metrics

// slowdown is what the race detector makes of a tick's cost, generously.
const slowdown = 20
