package feed

import (
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// devicesOf joins the readings of a tick with the counts of the device actors and the injected faults.
func (p *Publisher) devicesOf(w *hardware.World) []control.DeviceState {
	broken := FaultsOf(p.robot.Rig.Faults())
	names := p.robot.Profile.Subsystems()
	out := make([]control.DeviceState, 0, len(names))
	for _, name := range names {
		q, at, _ := w.StatusOf(name)
		d := control.DeviceState{Name: name, Quality: q.String(), Fault: broken[name], Value: ReadingOf(name, w).Text()}
		if d.Why = AsideOf(name, w); d.Why != "" {
			d.Value = ""
		}
		if !at.IsZero() {
			d.AgeMS = max(0, float64(w.Now.Sub(at))/float64(time.Millisecond))
		}
		c := p.devices.Of(name)
		d.Restarts, d.Reinits, d.Retries, d.Errors, d.Cause = c.Restarts, c.Reinits, c.Retries, c.Errors, c.Cause
		out = append(out, d)
	}
	return out
}

// AsideOf is why a fresh reading of a device is stale; empty if it is not, or old.
func AsideOf(name string, w *hardware.World) string {
	if name == hardware.Range {
		return w.RangeAside
	}
	return ""
}

// FaultsOf are the kinds of the injected faults by device.
func FaultsOf(faults []sim.Fault) map[string]string {
	broken := map[string]string{}
	for _, f := range faults {
		if broken[f.Device] != "" {
			broken[f.Device] += " "
		}
		broken[f.Device] += f.Kind
	}
	return broken
}
