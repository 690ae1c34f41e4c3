package device

import "math"

// Wiring of R1, the robot of hardware/README.md. The chip drivers know nothing of it.

// Kernel names of the GPIO lines.
const (
	LineMotorEnable   = "MOTOR_EN"    // output: one input of the gate, pulled down
	LineMotorBeat     = "MOTOR_BEAT"  // output: trigger of the one-shot, pulled down
	LineMotorOn       = "MOTOR_ON"    // input: H-bridge nSLEEP, the AND of MOTOR_EN and the one-shot
	LineLeftA         = "ENC_LA"      // inputs: quadrature pairs
	LineLeftB         = "ENC_LB"      //
	LineRightA        = "ENC_RA"      //
	LineRightB        = "ENC_RB"      //
	LineTouch         = "TOUCH"       // input, high while touched
	LineButton        = "PWR_BTN"     // input, high while the power button is held
	LineChargePresent = "CHG_PRESENT" // input
	LineChargeStatus  = "CHG_STAT"    // input
	LineDisplayDC     = "OLED_DC"     // output: data or command
)

// I²C addresses.
const (
	addrRange    = 0x29
	addrServos   = 0x40
	addrMotors   = 0x41
	addrLights   = 0x42
	addrBattery  = 0x45
	addrCliff    = 0x48
	addrFeedback = 0x49
	addrIMU      = 0x68
)

// PWM frequencies in Hz.
const (
	servosHz = 50
	motorsHz = 1526
	lightsHz = 500
)

// batterySign turns the monitor's current into "positive while charging": its shunt sits in the battery's lead with
// VIN+ towards the charger.
const batterySign = 1

// cliffFullVolts is a cliff sensor's output over a white floor at contact distance.
const cliffFullVolts = 3.0

// Channels of the motor PWM chip: IN1 drives forward, IN2 backward.
const (
	leftForward = iota
	leftBackward
	rightForward
	rightBackward
	motorChannels
)

// Geometry and drive train.
const (
	treadMM      = 46.0
	wheelMM      = 29.0 // diameter
	countsPerRev = 2800
	mmPerCount   = math.Pi * wheelMM / countsPerRev
	maxWheelMMPS = 220.0 // free speed at full duty
	wheelLag     = 0.060 // seconds, first order
)
