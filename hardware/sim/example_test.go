package sim_test

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/hardware/sim"
)

// A robot is shaken; time is an argument.
func Example() {
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	r := sim.New(sim.Options{Seed: 7, Now: now})
	r.SetNow(func() time.Time { return now })
	fmt.Println("on the charger:", r.Stats().OnContacts)
	r.Shake(time.Second)
	fmt.Println("in hand:", r.Stats().Held)
	now = now.Add(2 * time.Second)
	fmt.Println("in hand:", r.Stats().Held)
	fmt.Println(r.Fault("imo", "absent", time.Second))
	// Output:
	// on the charger: true
	// in hand: true
	// in hand: false
	// fault: no device "imo"; did you mean "imu"? devices: battery bus charger cliff display enable encoders feedback heartbeat host imu lights motors range sense servos touch
}
