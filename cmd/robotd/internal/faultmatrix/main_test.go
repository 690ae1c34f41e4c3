package faultmatrix

import (
	"testing"

	"go.uber.org/goleak"
)

// No robot leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
