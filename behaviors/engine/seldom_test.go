package engine

import (
	"fmt"
	"os"
	"reflect"
	"testing"
)

// TestMain also finds a cell that wrote what all cells share.
func TestMain(m *testing.M) {
	code := m.Run()
	if !reflect.ValueOf(nothingSeldom).IsZero() {
		fmt.Printf("a cell wrote what all cells share: %+v\n", nothingSeldom)
		code = 1
	}
	os.Exit(code)
}
