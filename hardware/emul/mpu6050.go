package emul

import (
	"math"
	"time"
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
	mpuICM20602    = 0x12
	// mpuForeign is the identity that a wrong chip shows: an ICM-20948's.
	mpuForeign = 0xEA

	// mpuTemperatureC is the die temperature the chip reports.
	mpuTemperatureC = 31.0
	// mpuResetTime is that of a reset by PWR_MGMT_1, mpuGyroTime that from waking to the first rotation.
	mpuResetTime = 30 * time.Millisecond
	mpuGyroTime  = 35 * time.Millisecond

	standardGravityMMPS2 = 9806.65
)

// An MPU6050 is an inertial sensor. After reset it sleeps and its data registers read 0; the 6500 and its kin measure after a reset, by the
// smallest ranges. Put to sleep later, or with an
// axis in standby, the registers keep their last values. With a clock a reset by PWR_MGMT_1 takes its time, in which writes are
// lost, and the gyroscope reads 0 for a while after waking. The low-pass filters, the sample rate divider, the FIFO and the
// interrupt pin are not modeled: awake, every burst read is a fresh sample.
type MPU6050 struct {
	sense   func() (accelMMPS2, gyroRadPS [3]float64)
	elapsed func() time.Duration // nil: nothing takes time

	guarded
	regs   [128]byte
	ptr    byte
	id     byte
	warmth int16         // what it reports as its temperature
	reset  time.Duration // end of the reset
	spins  time.Duration // the gyroscope measures from then on
}

// NewMPU6050 returns the chip as after power-on: asleep. sense gives acceleration (about (0, 0, 9807) mm/s² at rest and
// level) and turn rate in rad/s, in the chip's axes.
func NewMPU6050(sense func() (accelMMPS2, gyroRadPS [3]float64)) *MPU6050 {
	c := &MPU6050{sense: sense, id: mpuIdentity}
	c.clear()
	return c
}

// SetKind makes it another chip of the family, by its WHO_AM_I, as after power-on. Call it before the chip is used.
func (c *MPU6050) SetKind(id byte) {
	c.id = id
	c.clear()
}

// SetElapsed gives the chip a clock, which tells the time since some instant, as [Since] does. Call it before the chip is used.
func (c *MPU6050) SetElapsed(elapsed func() time.Duration) { c.elapsed = elapsed }

// time is the instant by the chip's clock. mu need not be held.
func (c *MPU6050) time() (t time.Duration) {
	if c.elapsed != nil {
		t = c.elapsed()
	}
	return t
}

// PowerOnReset restores all reset values.
func (c *MPU6050) PowerOnReset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
}

func (c *MPU6050) clear() {
	c.regs, c.ptr = [128]byte{mpuPower1: c.powerReset(), mpuWhoAmI: c.id}, 0
	c.reset, c.spins = 0, 0
	lsb, zero := c.temperature()
	c.warmth = quantize(mpuTemperatureC-zero, 1/lsb)
}

// newer reports whether it is a 6500 or one of its kin.
func (c *MPU6050) newer() bool { return c.id >= 0x70 && c.id <= 0x78 }

// powerReset is the reset value of the power register: asleep, but for the 6500 and its kin (RM-MPU-6500A and RM-MPU-9250A, section 3; DS-000176
// of the ICM-20602).
func (c *MPU6050) powerReset() byte {
	switch {
	case c.newer():
		return 0x01
	case c.id == mpuICM20602:
		return mpuSleep | 0x01
	}
	return mpuSleep
}

// temperature is the scale of the chip: counts a degree, and the temperature of count 0.
func (c *MPU6050) temperature() (lsb, zero float64) {
	switch {
	case c.id == mpuIdentity:
		return 340, 36.53
	case c.newer():
		return 333.87, 21
	}
	return 326.8, 25
}

// I2C writes registers from w[0] on, then reads on from the register pointer.
func (c *MPU6050) I2C(w, r []byte) error {
	now := c.time()
	c.mu.Lock()
	if len(w) > 0 {
		c.ptr = w[0] & 0x7F
		for _, v := range w[1:] {
			if now >= c.reset {
				c.write(now, c.ptr, v)
			}
			c.advance()
		}
	}
	first, last := int(c.ptr), int(c.ptr)+len(r)-1
	fresh := c.regs[mpuPower1]&mpuSleep == 0 && len(r) > 0 && last >= mpuIntStatus && first <= mpuDataEnd
	if fresh {
		c.sample(now)
	}
	if first >= mpuData && last <= mpuDataEnd { // a measurement, in which no register is special
		c.ptr += byte(copy(r, c.regs[first:]))
	} else {
		c.readEach(now, r)
	}
	c.mu.Unlock()
	return nil
}

// readEach reads registers of any kind. mu must be held.
func (c *MPU6050) readEach(now time.Duration, r []byte) {
	for i := range r {
		r[i] = c.read(c.ptr)
		if c.ptr == mpuPower1 && now < c.reset {
			r[i] |= mpuDeviceReset
		}
		c.advance()
	}
}

// advance moves the register pointer, but stays at the FIFO.
func (c *MPU6050) advance() {
	if c.ptr != mpuFIFO {
		c.ptr = (c.ptr + 1) & 0x7F
	}
}

func (c *MPU6050) write(now time.Duration, reg, v byte) {
	switch {
	case reg >= mpuIntStatus && reg <= mpuExtEnd, reg >= mpuFIFOCount && reg <= mpuWhoAmI:
		return // read only
	case reg == mpuPathReset: // clears itself
		return
	case reg == mpuUserCtrl:
		v &^= 0x07 // reset bits clear themselves
	case reg == mpuPower1 && v&mpuDeviceReset != 0:
		ptr := c.ptr
		c.clear()
		c.ptr = ptr
		if c.elapsed != nil {
			c.reset = now + mpuResetTime
			c.spins = c.reset + mpuGyroTime // of a chip that is awake then; the others set it when they wake
		}
		return
	case reg == mpuPower1 && c.regs[reg]&mpuSleep != 0 && v&mpuSleep == 0:
		c.spins = now + mpuGyroTime
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

// What a count is worth by the range chosen, in mm/s² and rad/s.
var mpuAccelLSB, mpuGyroLSB = mpuLSBs()

func mpuLSBs() (accel, gyro [4]float64) {
	for i := range accel {
		accel[i] = standardGravityMMPS2 / float64(int(16384)>>i)
		gyro[i] = math.Pi / 180 * float64(int(250)<<i) / 32768
	}
	return accel, gyro
}

// sample puts a measurement into the data registers, in the ranges chosen. mu must be held, and is free while it asks the world, because
// that has locks of its own.
func (c *MPU6050) sample(now time.Duration) {
	c.mu.Unlock()
	accel, gyro := c.sense()
	c.mu.Lock()
	if c.elapsed != nil && now < c.spins {
		gyro = [3]float64{}
	}
	accelLSB, gyroLSB := mpuAccelLSB[c.regs[mpuAccelConfig]>>3&3], mpuGyroLSB[c.regs[mpuGyroConfig]>>3&3]
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
		c.put(mpuData+6, c.warmth)
	}
	c.regs[mpuIntStatus] |= 1 // data ready
}

func (c *MPU6050) put(reg int, v int16) {
	c.regs[reg], c.regs[reg+1] = byte(uint16(v)>>8), byte(v)
}

// foreignID is the identity of another chip.
func (c *MPU6050) foreignID(reg byte) (byte, bool) { return mpuForeign, reg == mpuWhoAmI }

// alive excepts the power register, which shows the end of a reset, from a freeze.
func (c *MPU6050) alive(reg byte) bool { return reg == mpuPower1 }
