package control_test

import (
	"errors"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

func TestAddressesAreCheckedWithoutTheNetwork(t *testing.T) {
	for address, good := range map[string]bool{
		"127.0.0.1:8420": true, "localhost:0": true, "[::1]:65535": true, ":9420": true, "robot.example:1": true,
		"": false, "8420": false, "127.0.0.1:": false, "127.0.0.1:65536": false, "127.0.0.1:-1": false, "127.0.0.1:http": false,
		"127.0.0.1:08420": false, "a b:1": false, "http://127.0.0.1:8420": false, "me@127.0.0.1:1": false, "x/y:1": false, "::1:8420": false,
	} {
		if err := control.CheckAddress(address); (err == nil) != good || err != nil && !errors.Is(err, control.ErrRefused) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestOverlappingAddressesAreTheSame(t *testing.T) {
	for pair, same := range map[[2]string]bool{
		{"127.0.0.1:1", "127.0.0.1:1"}: true, {"127.0.0.1:1", "localhost:1"}: true, {"127.0.0.1:1", ":1"}: true, {"[::]:1", "127.0.0.1:1"}: true,
		{"127.0.0.1:1", "127.0.0.1:2"}: false, {"127.0.0.1:1", "127.0.0.2:1"}: false, {"127.0.0.1:0", "127.0.0.1:0"}: false,
	} {
		if control.SameAddress(pair[0], pair[1]) != same {
			t.Errorf("%v: %t", pair, !same)
		}
	}
}
