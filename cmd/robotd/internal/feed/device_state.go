package feed

import (
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// devicesOf joins the readings of a tick with the counts of the device actors and the injected faults.
func (p *Publisher) devicesOf(w *hardware.World) []control.DeviceState {
	broken := map[string]string{}
	for _, f := range p.robot.Rig.Faults() {
		if broken[f.Device] != "" {
			broken[f.Device] += " "
		}
		broken[f.Device] += f.Kind
	}
	out := make([]control.DeviceState, 0, len(hardware.Names))
	for _, name := range hardware.Names {
		q, at, _ := w.StatusOf(name)
		d := control.DeviceState{Name: name, Quality: q.String(), Fault: broken[name], Value: valueOf(name, w)}
		if !at.IsZero() {
			d.AgeMS = max(0, float64(w.Now.Sub(at))/float64(time.Millisecond))
		}
		d.Restarts, d.Reinits, d.Retries, d.Errors, d.Cause = p.devices.devices[name].counts()
		out = append(out, d)
	}
	return out
}
