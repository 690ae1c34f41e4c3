package linux

import (
	"fmt"
	"sync"
	"syscall"

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

// SPI is one port. It implements periph's spi.PortCloser. periph's own port accepts one connection and cannot be used after Close; this
// one opens the node with each Connect, so that a display can be set up again.
type SPI struct {
	conf SPIConfig

	mu    sync.Mutex
	limit physic.Frequency
	port  *sysfs.SPI
}

// OpenSPI returns the port and makes sure that it can be opened.
func OpenSPI(conf SPIConfig) (*SPI, error) {
	s := &SPI{conf: conf, limit: conf.Limit}
	port, err := s.open()
	if err != nil {
		return nil, err
	}
	return s, port.Close()
}

// String is the name of the port.
func (s *SPI) String() string { return s.conf.Name }

// LimitSpeed bounds the clock of the connections to come.
func (s *SPI) LimitSpeed(f physic.Frequency) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit == 0 || f < s.limit {
		s.limit = f
	}
	return nil
}

// Connect opens the port. A second Connect is an error until Close.
func (s *SPI) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.port != nil {
		return nil, fmt.Errorf("port %s: connect: already connected; close it first: %w", s.conf.Name, syscall.EBUSY)
	}
	port, err := s.open()
	if err != nil {
		return nil, err
	}
	if s.limit > 0 {
		f = min(f, s.limit)
	}
	conn, err := port.Connect(f, mode, bits)
	if err != nil {
		port.Close()
		return nil, fmt.Errorf("port %s: %w", s.conf.Name, err)
	}
	s.port = port
	return conn, nil
}

// Close ends the connection. Closing without one does nothing.
func (s *SPI) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.port == nil {
		return nil
	}
	err := s.port.Close()
	s.port = nil
	return err
}

// open opens the node. periph words the errno away, so it is asked for first.
func (s *SPI) open() (*sysfs.SPI, error) {
	node := fmt.Sprintf("/dev/spidev%d.%d", s.conf.Bus, s.conf.Select)
	if errno := usable(node); errno != 0 {
		return nil, fmt.Errorf("port %s: open %s: %w", s.conf.Name, node, errno)
	}
	port, err := sysfs.NewSPI(s.conf.Bus, s.conf.Select)
	if err != nil {
		return nil, fmt.Errorf("port %s: open %s: %w", s.conf.Name, node, err)
	}
	return port, nil
}

var _ spi.PortCloser = (*SPI)(nil)
