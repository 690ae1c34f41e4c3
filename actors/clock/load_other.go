//go:build !linux

package clock

import "time"

type census struct{}

func newCensus() *census { return &census{} }

func (*census) processorTime() time.Duration { return processTime() }
