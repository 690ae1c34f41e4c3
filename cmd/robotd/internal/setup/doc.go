// Package setup reads and checks what a live and a headless run both need: the resource tree and its catalog, the options, the
// stage file, and the settings of the Go runtime.
package setup
