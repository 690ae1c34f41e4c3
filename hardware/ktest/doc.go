// Package ktest tests the back end of a real board on a real kernel: `make test-kernel` boots a stock Debian kernel in qemu, without
// root, and runs these tests in it (build tag kernel).
//
//	device actors' drivers ─► hardware/linux ─► /dev/i2c-N ─► hid-cp2112 ─► /dev/uhid ─► bridge ─► hardware/emul
//	Linux's own drivers (vl53l0x, inv_mpu6050, ads1015, ina2xx) ──┘
//
// The tests pretend to be a CP2112, a USB bridge to I²C and eight GPIO lines, whose chips are emulated. So nothing between the drivers
// and the emulated chips is ours: the kernel's bus, its errors, its lines and its edges are. And the kernel's own chip drivers, which
// know nothing of this project, must read from the emulated chips what these were told to show.
//
// The test binary is the first process of the machine; initrd packs it with the kernel's modules.
package ktest
