//go:build !linux

package clock

import "errors"

// ShortSlices asks the kernel for short time slices, which only Linux grants.
func ShortSlices() error { return errors.ErrUnsupported }
