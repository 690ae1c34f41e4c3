//go:build !linux

package setup

import "errors"

var errNoLock = errors.New("memory is not locked: only Linux can")

// LockMemory keeps nothing in RAM here.
func LockMemory() error { return errNoLock }

// NotPermitted tells what --realtime would not get.
func NotPermitted() []string { return []string{errNoLock.Error()} }
