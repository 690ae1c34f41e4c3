//go:build !linux

package actors

import "time"

func processorTime() time.Duration { return processTime() }
