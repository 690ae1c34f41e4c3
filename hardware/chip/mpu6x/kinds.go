package mpu6x

import (
	"fmt"
	"slices"
	"time"
)

// A Kind is one chip of the family. They share the registers of the data; what differs is here.
type Kind struct {
	ID   byte // WHO_AM_I
	Name string

	accel2    byte // value of ACCEL_CONFIG2 beside the filter; noAccel2: the register is not there
	path      bool // SIGNAL_PATH_RESET belongs to its reset
	awake     bool // measures after a reset, by the ranges of the reset; the others sleep
	tempLSB   float64
	tempZeroC float64
	startUp   time.Duration // of the gyroscope
}

const noAccel2 = 0xff

// fifo4K chooses the largest FIFO in ACCEL_CONFIG2 of those chips that keep its size there.
const fifo4K = 0xc0

func old(id byte, name string) Kind {
	return Kind{id, name, noAccel2, true, false, 340, 36.53, 60 * time.Millisecond}
}

func newer(id byte, name string) Kind {
	return Kind{id, name, 0, true, true, 333.87, 21, 70 * time.Millisecond}
}

func icm(id byte, name string, accel2 byte) Kind {
	return Kind{id, name, accel2, false, false, 326.8, 25, 100 * time.Millisecond}
}

// Kinds are the chips that this driver knows. Values and scales are those of Linux's inv_mpu6050 driver, but for 0x72, 0x75
// (reported clones; those sold as MPU-9250 have no magnetometer) and 0x19, which is as from memory.
var Kinds = []Kind{
	old(0x68, "MPU-6050"),
	newer(0x70, "MPU-6500"),
	newer(0x71, "MPU-9250"),
	newer(0x72, "MPU-6500 clone"),
	newer(0x73, "MPU-9255"),
	newer(0x74, "MPU-6515"),
	newer(0x75, "MPU-9250 clone"),
	newer(0x78, "MPU-6880"),
	icm(0x12, "ICM-20602", 0),
	icm(0x19, "MPU-6886", 0),
	icm(0x20, "ICM-20690", fifo4K),
	icm(0x98, "ICM-20689", fifo4K),
	icm(0xa6, "ICM-20609", 0),
	icm(0xa9, "IAM-20680", 0),
	icm(0xaf, "ICM-20608", 0),
}

// kindOf is the chip with an identity.
func kindOf(id byte) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.ID == id })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// known lists the identities for an error.
func known() string {
	var s []byte
	for i, k := range Kinds {
		if i > 0 {
			s = append(s, ", "...)
		}
		s = fmt.Appendf(s, "%#02x", k.ID)
	}
	return "one of " + string(s)
}
