package clock

import (
	"testing"

	"go.uber.org/goleak"
)

// The runtime's own timers and the library's idle goroutines are none; whatever is left was leaked by us.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
