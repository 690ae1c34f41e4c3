package emul

import (
	"sync"
	"time"
)

// Since returns what tells the time that has passed on a clock since it was first asked.
func Since(now func() time.Time) func() time.Duration {
	origin := sync.OnceValue(now)
	return func() time.Duration {
		from := origin()
		return now().Sub(from)
	}
}
