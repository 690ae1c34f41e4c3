package condition

import "github.com/robotd/robotd/hardware"

// highTemperature is met while processor or battery are hot.
func (r *reader) highTemperature() Condition {
	on := devices{hardware.Battery}
	return newLeaf("HighTemperature",
		func(v *View, f *facts) {
			b := &v.World.Battery.Value
			*f = facts{a: v.World.Body.Hot, x: b.TempC, n: int32(b.CPUTempC)}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.a },
		on.say(func(f *facts) (string, Values) {
			return "battery " + fixed(f.x) + " °C, processor " + fixed(float64(f.n)) + " °C",
				Values{{"hot", f.a}, {"battery_c", f.x}, {"processor_c", float64(f.n)}, {"battery_limit_c", hardware.HotBatteryC}, {"processor_limit_c", hardware.HotCPUC}}
		})).needing(on.need(func(f *facts, yes bool) string {
		return yesNo(yes, "the battery must have "+fixed(hardware.HotBatteryC)+" °C or more, or the processor "+fixed(hardware.HotCPUC)+" °C",
			"the battery must be below "+fixed(hardware.HotBatteryC)+" °C, and the processor below "+fixed(hardware.HotCPUC)+" °C")
	}))
}

// tooHotToCharge is met while the charger pauses because the battery is too warm.
func (r *reader) tooHotToCharge() Condition {
	on := devices{hardware.Battery, hardware.Charger}
	return newLeaf("TooHotToCharge",
		func(v *View, f *facts) {
			*f = facts{a: v.World.Body.ChargeStalled, x: v.World.Battery.Value.TempC}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.a },
		on.say(func(f *facts) (string, Values) {
			return yesNo(f.a, "the charger pauses", "no pause of the charger") + ", battery " + fixed(f.x) + " °C", Values{{"stalled", f.a}, {"battery_c", f.x}}
		})).needing(on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "the battery must be too warm to be charged: "+fixed(hardware.StallBatteryC)+" °C or more, on the charger",
			"the battery must cool down to "+fixed(hardware.ResumeBatteryC)+" °C, or the robot leave the charger")
	}))
}

// buttonPressed is met while the power button has been held down for at least a time.
func (r *reader) buttonPressed() Condition {
	limit := r.millis("minTimeButtonPressed_ms")
	on := devices{hardware.Touch}
	return newLeaf("TimePowerButtonPressed",
		func(v *View, f *facts) {
			if *f = (facts{a: v.World.Body.Pressed}); f.a {
				f.d = v.Now.Sub(v.World.Body.PressedSince)
			}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.a && f.d >= limit },
		on.say(func(f *facts) (string, Values) {
			if !f.a {
				return "not pressed", Values{{"pressed", false}, {"limit_s", limit.Seconds()}}
			}
			return "pressed for " + Elapsed(f.d).String() + ", limit " + short(limit), Values{{"pressed", true}}.elapsed("for_s", f.d).seconds("limit_s", limit)
		})).needing(on.need(func(f *facts, yes bool) string {
		switch {
		case yes && f.a:
			return wait(limit - f.d)
		case yes:
			return "press the power button for " + short(limit) + " or longer"
		}
		return "let the power button go"
	}))
}
