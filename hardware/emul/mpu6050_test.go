package emul

import (
	"math"
	"testing"

	"github.com/robotd/robotd/hardware/hwtest"
)

type motion struct{ accel, gyro [3]float64 }

func newMPU() (*MPU6050, *motion) {
	m := &motion{accel: [3]float64{0, 0, standardGravityMMPS2}, gyro: [3]float64{math.Pi / 180, 0, -math.Pi}}
	return NewMPU6050(func() (a, g [3]float64) { return m.accel, m.gyro }), m
}

func TestMPU6050ReadsZerosWhileAsleepAfterReset(t *testing.T) {
	c, _ := newMPU()
	wantBytes(t, "identity", read(t, c, mpuWhoAmI, 1), 0x68)
	wantBytes(t, "power", read(t, c, mpuPower1, 1), 0x40)
	wantBytes(t, "data", read(t, c, mpuData, 14), make([]byte, 14)...)
	wantBytes(t, "no data ready", read(t, c, mpuIntStatus, 1), 0)
}

func TestMPU6050BurstIsBigEndian(t *testing.T) {
	c, _ := newMPU()
	write(t, c, mpuPower1, 0)
	b := read(t, c, mpuData, 14)
	wantBytes(t, "accel: 1 g upward", b[:6], 0, 0, 0, 0, 0x40, 0)
	temp := float64(int16(uint16(b[6])<<8|uint16(b[7])))/340 + 36.53
	if math.Abs(temp-mpuTemperatureC) > 0.01 {
		t.Fatalf("temperature %v", temp)
	}
	wantBytes(t, "gyro: 1 °/s, 0, -180 °/s", b[8:], 0, 131, 0, 0, 0xA3, 0xD7)
	write(t, c, mpuPower1, mpuSleep)
	wantBytes(t, "data ready", read(t, c, mpuIntStatus, 1), 1)
	wantBytes(t, "cleared by reading", read(t, c, mpuIntStatus, 1), 0)
}

func TestMPU6050RangesScaleTheData(t *testing.T) {
	c, m := newMPU()
	write(t, c, mpuPower1, 0)
	write(t, c, mpuGyroConfig, 3<<3, 3<<3) // 2000 °/s, 16 g
	wantWord(t, "1 g at 16 g", word(t, c, mpuData+4), 2048)
	wantWord(t, "-180 °/s at 2000 °/s", word(t, c, mpuDataEnd-1), uint16(0x10000-2949))
	m.accel[0], m.gyro[0] = -1e9, 1e9
	wantWord(t, "accel saturates", word(t, c, mpuData), 0x8000)
	wantWord(t, "gyro saturates", word(t, c, mpuData+8), 0x7FFF)
}

func TestMPU6050KeepsDataInSleepAndStandby(t *testing.T) {
	c, m := newMPU()
	write(t, c, mpuPower1, 0)
	word(t, c, mpuData+4)
	m.accel[2] = 0
	write(t, c, mpuPower1, mpuSleep)
	wantWord(t, "asleep", word(t, c, mpuData+4), 16384)
	write(t, c, mpuPower1, 0, 0x08) // accel z in standby
	wantWord(t, "standby", word(t, c, mpuData+4), 16384)
	write(t, c, mpuPower2, 0)
	wantWord(t, "running", word(t, c, mpuData+4), 0)
}

func TestMPU6050IgnoresReadOnlyWritesAndResets(t *testing.T) {
	c, _ := newMPU()
	write(t, c, mpuWhoAmI, 1)
	write(t, c, mpuData, 9)
	wantBytes(t, "identity", read(t, c, mpuWhoAmI, 1), 0x68)
	wantBytes(t, "data", read(t, c, mpuData, 1), 0)
	write(t, c, mpuGyroConfig, 0x18)
	write(t, c, mpuUserCtrl, 0x47)
	wantBytes(t, "reset bits clear themselves", read(t, c, mpuUserCtrl, 1), 0x40)
	write(t, c, mpuPower1, mpuDeviceReset)
	wantBytes(t, "range", read(t, c, mpuGyroConfig, 1), 0)
	wantBytes(t, "asleep", read(t, c, mpuPower1, 1), mpuSleep)
	wantBytes(t, "the FIFO does not advance", read(t, c, mpuFIFO, 3), 0, 0, 0)
}

// Writes during a reset are lost, and the gyroscope starts slowly.
func TestMPU6050WithAClockTakesItsTime(t *testing.T) {
	c, _ := newMPU()
	clk := hwtest.NewClock()
	c.SetElapsed(Since(clk.Now))
	write(t, c, mpuPower1, mpuDeviceReset)
	wantBytes(t, "resets", read(t, c, mpuPower1, 1), mpuDeviceReset|mpuSleep)
	write(t, c, mpuPower1, 0)
	clk.Sleep(mpuResetTime)
	wantBytes(t, "the write was lost", read(t, c, mpuPower1, 1), mpuSleep)
	write(t, c, mpuPower1, 1)
	wantWord(t, "acceleration at once", word(t, c, mpuData+4), 16384)
	wantWord(t, "no rotation yet", word(t, c, mpuDataEnd-1), 0)
	clk.Sleep(mpuGyroTime)
	wantWord(t, "rotation", word(t, c, mpuDataEnd-1), 0xA3D7)
}
