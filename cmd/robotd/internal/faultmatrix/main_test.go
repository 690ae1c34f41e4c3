package faultmatrix

import (
	"testing"

	"go.uber.org/goleak"
)

// Every robot stops whole.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
