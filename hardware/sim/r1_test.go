package sim

// R1 as its tests know it, from hardware/README.md.
const (
	bodyFront = 35.0
	bodyBack  = 55.0
	bodyWidth = 60.0

	wheelLagS    = 0.060
	treadMM      = 46.0
	wheelDiamMM  = 29.0
	countsPerRev = 2800.0
	perMM        = countsPerRev / (3.141592653589793 * wheelDiamMM)

	rangeMaxMM = 1200.0
	coneDeg    = 12.0
	dockX      = 20.0

	addrRange    uint16 = 0x29
	addrServos   uint16 = 0x40
	addrWheels   uint16 = 0x41
	addrLights   uint16 = 0x42
	addrBattery  uint16 = 0x45
	addrCliff    uint16 = 0x48
	addrFeedback uint16 = 0x49
	addrIMU      uint16 = 0x68

	lineEnable  = "MOTOR_EN"
	lineBeat    = "MOTOR_BEAT"
	linePower   = "MOTOR_ON"
	lineLeftA   = "ENC_LA"
	lineLeftB   = "ENC_LB"
	lineRightA  = "ENC_RA"
	lineRightB  = "ENC_RB"
	lineTouch   = "TOUCH"
	linePresent = "CHG_PRESENT"
	lineStatus  = "CHG_STAT"
	linePanelDC = "OLED_DC"
)

var cliffMounts = [4]vec{{30, 22}, {30, -22}, {-45, 22}, {-45, -22}}
