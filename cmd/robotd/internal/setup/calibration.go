package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/robotd/robotd/hardware/profile"
)

// calibrationVersion is the version of the format. A file of another one is set aside.
const calibrationVersion = 1

// ErrLocked says that another process keeps the calibration of that robot.
var ErrLocked = errors.New("another robotd uses it")

// A calibrationFile is what the file holds: one line of JSON with the sum of what was measured, which tells a torn file from a whole one.
type calibrationFile struct {
	Version  int             `json:"version"`
	Saved    time.Time       `json:"saved"`
	Sum      string          `json:"sum"` // SHA-256 of measured as it stands here
	Measured json.RawMessage `json:"measured"`
}

// measured is what was measured of a robot.
type measured struct {
	Robot  string              `json:"robot"`
	Values profile.Calibration `json:"values"`
}

// Body is the name of the one robot that a calibration is of. Simulated robots of different seeds differ as real ones of one kind do.
func Body(p *profile.Profile, real bool, seed uint64) string {
	if real {
		return p.Name
	}
	return p.Name + "-sim-" + strconv.FormatUint(seed, 10)
}

// Body is the name of the robot of the run.
func (o *Options) Body() string { return Body(o.Profile(), o.Real, o.Seed) }

// ReadCalibration reads what was measured of a robot: nothing if there is no file. An error names what is wrong with it.
func ReadCalibration(file, body string, p *profile.Profile) (profile.Calibration, error) {
	text, err := readKept(file, "a calibration")
	if text == nil {
		return nil, err
	}
	c, err := decodeCalibration(text, body, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

func decodeCalibration(text []byte, body string, p *profile.Profile) (profile.Calibration, error) {
	var file calibrationFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("it is torn, or no calibration of a robot: %w", err)
	}
	switch {
	case file.Version != calibrationVersion:
		return nil, fmt.Errorf("its version is %d, and this program reads version %d", file.Version, calibrationVersion)
	case file.Sum != sumOf(file.Measured):
		return nil, errors.New("it is damaged: its sum is another one")
	}
	var m measured
	if err := json.Unmarshal(file.Measured, &m); err != nil {
		return nil, fmt.Errorf("it is no calibration of a robot: %w", err)
	}
	if m.Robot != body {
		return nil, fmt.Errorf("it was measured of robot %s; want one of %s", m.Robot, body)
	}
	return m.Values, m.Values.Check(p)
}

// WriteCalibration puts what was measured of a robot into a file, whole or not at all; when it returns it lasts.
func WriteCalibration(file, body string, c profile.Calibration, now time.Time) error {
	values, err := json.Marshal(measured{Robot: body, Values: c})
	if err != nil {
		return err
	}
	text, err := json.Marshal(calibrationFile{Version: calibrationVersion, Saved: now, Sum: sumOf(values), Measured: values})
	if err != nil {
		return err
	}
	return writeKept(file, append(text, '\n'))
}
