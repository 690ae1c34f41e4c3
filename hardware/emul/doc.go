// Package emul emulates a board: an I2C bus, an SPI port and GPIO lines with register-accurate chips on them. Drivers use
// periph's i2c.Bus and spi.Port and [hardware.Lines], as on a real board. The emulated chips also have the flaws of the
// real ones, and a [Fault] breaks them on purpose.
//
// Its place in the tick: below the drivers, above the simulated world (hardware/sim), which wires itself to the chips
// by the callbacks given to their constructors.
//
// # Chips
//
// A chip models its register map and the properties that cause mistakes in drivers: a PCA9685 sleeps after reset and
// accepts a new prescaler only while asleep, an MPU-6050 delivers zeros until it is woken, an INA219 without calibration
// reads 0 A without an error, an ADS1115 returns the previous conversion until the new one is done. After PowerOnReset
// every register has its reset value, as after a brown-out that the bus did not notice.
//
// # Time
//
// Nothing here reads the machine's time or starts a goroutine. Chips that convert take a now function; faults with an
// end use the clock of the caller ([Bus.For]) or that of the bus. Transactions take time on the clock of a caller that has one, one after the
// other, and the caller waits with no lock held. Edges of encoders take the time of one processor if [Lines.SetInterruptCost] says so.
//
// # Locks
//
// All exported methods are safe for concurrent use. The package holds none of its locks while it calls into the world
// (read, set, frame, volts, now, OnOutput, OnRead; but the clock of [Lines.SetNow]) or sleeps. Hence a world may hold its own lock while it calls
// [Shaft.Turn], [Lines.SetInput], [Lines.SetInputAt], [Lines.Level], [Lines.Pull], [Lines.FreezeEncoder], [Lines.LoseEdges],
// [Bus.SetFault], [Bus.Stick] without an end, [Bus.Unplug], [SPI.Unplug] or [SPI.Mute].
//
// A part that is told that it is used by one goroutine at a time (Alone) takes no locks at all.
//
// Everything else may call the world back and must be called without the world's lock: transactions, PowerOnReset,
// BrownOut, requesting, setting and closing lines, [Lines.Unplug], [Lines.Stuck], and [Bus.Stick] for a time, which
// reads the clock.
//
// Outputs reach the world in order: of several goroutines changing one output only one delivers at a time, and the last
// delivery is always the final state ([relay]). While one is delivering, another's change returns at once and is
// delivered by the first.
package emul
