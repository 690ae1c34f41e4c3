//go:build !linux

package barrier

import "time"

func processorTime() time.Duration { return processTime() }
