package barrier

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Neither the runtime nor protoactor leaves goroutines behind, so any that is left is a leak of this package.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(verifierDir)
		os.Exit(code)
	}))
}
