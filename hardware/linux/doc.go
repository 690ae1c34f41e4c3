// Package linux is the back end of a real board: its I²C buses, GPIO lines, SPI ports and serial ports as Linux offers them, with the
// same interfaces and the same errors as the emulated ones of hardware/emul.
//
//	bus, err := linux.OpenI2C(linux.I2CConfig{Name: "main", Device: "/dev/i2c-1"})
//	lines := linux.NewLines([]linux.LineConfig{{Name: "MOTOR_EN", Line: "GPIO17", Bias: linux.PullDown}})
//
// I²C is /dev/i2c-N with I2C_RDWR, because periph's bus formats the errno away and so makes every failure look alike. Lines are
// go-gpiocdev's; SPI is periph's. Nothing here starts a goroutine: the kernel keeps the edges until they are asked for.
//
// What uses a bus holds its mutex while the kernel works, for at most the adapter's time-out, which OpenI2C shortens.
package linux
