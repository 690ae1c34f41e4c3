//go:build kernel

package ktest

// child does what a test wants of another process, and reports whether one wanted something.
func child() bool { return false }
