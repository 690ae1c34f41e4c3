//go:build !linux

package clock

import "time"

func processorTime() time.Duration { return processTime() }
