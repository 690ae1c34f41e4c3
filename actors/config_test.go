package actors

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/hardware"
)

// Start refuses a wrong configuration with its reason before anything runs.
func TestStartRefusesWrongConfigurations(t *testing.T) {
	driver := func(hardware.BusPermit) (hardware.Device, error) { return nil, nil }
	cat := actorstest.Authors(t, []string{"R"}, func(string) *actorstest.Authored { return &actorstest.Authored{} })
	for want, cfg := range map[string]Config{
		"no catalog":                            {},
		"period 2m0s is not between 1ms and 1s": {Catalog: cat, Period: 2 * time.Minute},
		"a budget of -1ms and a tick limit of 5s: neither may be negative":   {Catalog: cat, Budget: -time.Millisecond},
		"a budget of 10ms and a tick limit of -1ns: neither may be negative": {Catalog: cat, TickLimit: -1},
		"device 2 of 2 has no name":                                          {Catalog: cat, Devices: []DeviceSpec{{Name: "imu", New: driver}, {New: driver}}},
		`device "imu" has no driver: New is nil`:                             {Catalog: cat, Devices: []DeviceSpec{{Name: "imu"}}},
		`two devices are named "imu"`:                                        {Catalog: cat, Devices: []DeviceSpec{{Name: "imu", New: driver}, {Name: "imu", New: driver}}},
		`Nobody`:                                                             {Catalog: cat, Base: "Nobody"},
	} {
		s, err := Start(cfg)
		if err == nil {
			_ = s.Stop(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
