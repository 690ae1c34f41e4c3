package actors

import (
	"testing"

	"go.uber.org/goleak"
)

// Neither the runtime nor protoactor leaves goroutines behind, so any that is left is a leak of this package.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
