package emul

import (
	"math"
)

// Registers and bits of the MPU-6050 (InvenSense RM-MPU-6000A rev. 4.2).
const (
	mpuGyroConfig  = 0x1B
	mpuAccelConfig = 0x1C
	mpuIntStatus   = 0x3A
	mpuData        = 0x3B // accel x, y, z, temperature, gyro x, y, z; 16 bits, big endian
	mpuDataEnd     = 0x48
	mpuExtEnd      = 0x60 // external sensor data and motion detection: read only
	mpuPathReset   = 0x68
	mpuUserCtrl    = 0x6A
	mpuPower1      = 0x6B
	mpuPower2      = 0x6C
	mpuFIFOCount   = 0x72 // two bytes, then the FIFO itself
	mpuFIFO        = 0x74
	mpuWhoAmI      = 0x75

	mpuDeviceReset = 0x80 // PWR_MGMT_1
	mpuSleep       = 0x40
	mpuTempOff     = 0x08
	mpuIdentity    = 0x68
	// mpuForeign is the identity that a wrong chip shows: an ICM-20948's.
	mpuForeign = 0xEA

	// mpuTemperatureC is the die temperature the chip reports.
	mpuTemperatureC = 31.0

	standardGravityMMPS2 = 9806.65
)

// An MPU6050 is an inertial sensor. After reset it sleeps and its data registers read 0; put to sleep later, or with an
// axis in standby, they keep their last values. The low-pass filter, the sample rate divider, the FIFO and the
// interrupt pin are not modeled: awake, every burst read is a fresh sample.
type MPU6050 struct {
	sense func() (accelMMPS2, gyroRadPS [3]float64)

	guarded
	regs [128]byte
	ptr  byte
}

// NewMPU6050 returns the chip as after power-on: asleep. read gives acceleration (about (0, 0, 9807) mm/s² at rest and
// level) and turn rate in rad/s, in the chip's axes.
func NewMPU6050(read func() (accelMMPS2, gyroRadPS [3]float64)) *MPU6050 {
	c := &MPU6050{sense: read}
	c.reset()
	return c
}

// PowerOnReset restores all reset values: the chip sleeps.
func (c *MPU6050) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reset()
}

func (c *MPU6050) reset() {
	c.regs, c.ptr = [128]byte{mpuPower1: mpuSleep, mpuWhoAmI: mpuIdentity}, 0
}

// I2C writes registers from w[0] on, then reads on from the register pointer.
func (c *MPU6050) I2C(w, r []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(w) > 0 {
		c.ptr = w[0] & 0x7F
		for _, v := range w[1:] {
			c.write(c.ptr, v)
			c.advance()
		}
	}
	first, last := int(c.ptr), int(c.ptr)+len(r)-1
	fresh := c.regs[mpuPower1]&mpuSleep == 0 && len(r) > 0 && last >= mpuIntStatus && first <= mpuDataEnd
	if fresh {
		c.sample()
	}
	for i := range r {
		r[i] = c.read(c.ptr)
		c.advance()
	}
	return nil
}

// advance moves the register pointer, but stays at the FIFO.
func (c *MPU6050) advance() {
	if c.ptr != mpuFIFO {
		c.ptr = (c.ptr + 1) & 0x7F
	}
}

func (c *MPU6050) write(reg, v byte) {
	switch {
	case reg >= mpuIntStatus && reg <= mpuExtEnd, reg >= mpuFIFOCount && reg <= mpuWhoAmI:
		return // read only
	case reg == mpuPathReset: // clears itself
		return
	case reg == mpuUserCtrl:
		v &^= 0x07 // reset bits clear themselves
	case reg == mpuPower1 && v&mpuDeviceReset != 0:
		ptr := c.ptr
		c.reset()
		c.ptr = ptr
		return
	}
	c.regs[reg] = v
}

// read answers one register. Reading the interrupt status clears it.
func (c *MPU6050) read(reg byte) byte {
	v := c.regs[reg]
	if reg == mpuIntStatus {
		c.regs[reg] = 0
	}
	return v
}

// measure asks the world. mu must be held, and is free meanwhile, because the world has locks of its own.
func (c *MPU6050) measure() (accel, gyro [3]float64) {
	c.mu.Unlock()
	defer c.mu.Lock()
	return c.sense()
}

// sample puts a measurement into the data registers, in the ranges chosen. mu must be held.
func (c *MPU6050) sample() {
	accel, gyro := c.measure()
	accelLSB := standardGravityMMPS2 / float64(int(16384)>>(c.regs[mpuAccelConfig]>>3&3))
	gyroLSB := math.Pi / 180 * float64(int(250)<<(c.regs[mpuGyroConfig]>>3&3)) / 32768
	standby := c.regs[mpuPower2] // bits 5 to 0: accel x, y, z, gyro x, y, z
	for i := range 3 {
		if standby>>(5-i)&1 == 0 {
			c.put(mpuData+2*i, quantize(accel[i], accelLSB))
		}
		if standby>>(2-i)&1 == 0 {
			c.put(mpuData+8+2*i, quantize(gyro[i], gyroLSB))
		}
	}
	if c.regs[mpuPower1]&mpuTempOff == 0 {
		c.put(mpuData+6, quantize(mpuTemperatureC-36.53, 1.0/340)) // °C = counts / 340 + 36.53
	}
	c.regs[mpuIntStatus] |= 1 // data ready
}

func (c *MPU6050) put(reg int, v int16) {
	c.regs[reg], c.regs[reg+1] = byte(uint16(v)>>8), byte(v)
}

// foreignID is the identity of another chip.
func (c *MPU6050) foreignID(reg byte) (byte, bool) { return mpuForeign, reg == mpuWhoAmI }
