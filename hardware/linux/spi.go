package linux

import (
	"fmt"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/host/v3/sysfs"
)

// A SPIConfig tells which port a part is on: /dev/spidev BUS.SELECT.
type SPIConfig struct {
	Name        string
	Bus, Select int
	// Limit is the highest clock that the wiring bears. 0 means no limit.
	Limit physic.Frequency
}

// OpenSPI opens the port. What it returns is periph's handle, with its habits: it connects exactly once, it is closed for good, and it
// must not be used after Close. Open another one then. Its errors name the errno without wrapping it; those of OpenSPI wrap it.
func OpenSPI(conf SPIConfig) (spi.PortCloser, error) {
	node := fmt.Sprintf("/dev/spidev%d.%d", conf.Bus, conf.Select)
	if errno := usable(node); errno != 0 {
		return nil, fmt.Errorf("port %s: open %s: %w", conf.Name, node, errno)
	}
	port, err := sysfs.NewSPI(conf.Bus, conf.Select)
	if err != nil {
		return nil, fmt.Errorf("port %s: open %s: %w", conf.Name, node, err)
	}
	if conf.Limit > 0 {
		if err := port.LimitSpeed(conf.Limit); err != nil {
			_ = port.Close()
			return nil, fmt.Errorf("port %s: %w", conf.Name, err)
		}
	}
	return port, nil
}
