//go:build !unix

package setup

// Lock holds nothing here: there are no advisory locks.
func Lock(string) (release func(), err error) { return func() {}, nil }
