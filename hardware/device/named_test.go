package device_test

import (
	"reflect"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
)

func TestNamedDriversGiveTheWordsOfTheirParts(t *testing.T) {
	none := func(device.Board, *device.Safety, hardware.BusPermit) (hardware.Device, error) { return nil, nil }
	ns := device.NamedDrivers{"fast": {hardware.Motors: none, hardware.Servos: none}, "lidar": {hardware.Range: none}}
	want := profile.Words{"drive": {"fast"}, "head": {"fast"}, "lift": {"fast"}, "pan": {"fast"}, "range": {"lidar"}}
	if got := ns.Words(); !reflect.DeepEqual(got, want) || ns.Check() != nil {
		t.Errorf("%v, %v", got, ns.Check())
	}
	for _, c := range []struct {
		ns   device.NamedDrivers
		want string
	}{
		{device.NamedDrivers{"sonar": {hardware.Range: none}}, `"sonar" is the word of a built-in driver of the part range; choose another`},
		{device.NamedDrivers{"lidar": {"rnage": none}}, `"lidar": no subsystem is named "rnage"; want one of `},
		{device.NamedDrivers{"lidar": {}}, `"lidar" has no driver`},
		{device.NamedDrivers{" ": {hardware.Range: none}}, `" " is no word for a robot's file`},
	} {
		if err := c.ns.Check(); err == nil || err.Error()[:min(len(c.want), len(err.Error()))] != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
