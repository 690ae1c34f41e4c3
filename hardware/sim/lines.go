package sim

import "github.com/robotd/robotd/hardware"

// lines are the emulated lines with one addition: before a level or a count is read, the world is advanced to the current
// instant. It implements hardware.Lines.
type lines struct{ r *Rig }

func (l lines) Output(name string, initial bool) (hardware.Line, error) {
	l.r.sync()
	return l.r.lines.Output(name, initial)
}

func (l lines) Input(name string) (hardware.Line, error) {
	l.r.sync()
	in, err := l.r.lines.Input(name)
	if err != nil {
		return nil, err
	}
	return input{in, l.r}, nil
}

// Encoder begins to count now. Earlier turns of the wheels are not counted.
func (l lines) Encoder(a, b string, edges int) (hardware.Encoder, error) {
	l.r.sync()
	e, err := l.r.lines.Encoder(a, b, edges)
	if err != nil {
		return nil, err
	}
	return encoder{e, l.r}, nil
}

// Edges keeps those from now on.
func (l lines) Edges(name string) (hardware.Edges, error) {
	l.r.sync()
	e, err := l.r.lines.Edges(name)
	if err != nil {
		return nil, err
	}
	return edges{e, l.r}, nil
}

type input struct {
	hardware.Line
	r *Rig
}

func (i input) Get() (bool, error) {
	i.r.sync()
	return i.Line.Get()
}

type encoder struct {
	hardware.Encoder
	r *Rig
}

func (e encoder) Count() (int64, bool) {
	e.r.sync()
	return e.Encoder.Count()
}

type edges struct {
	hardware.Edges
	r *Rig
}

func (e edges) Take(buf []hardware.Edge) (int, error) {
	e.r.sync()
	return e.Edges.Take(buf)
}

func (e edges) Get() (bool, error) {
	e.r.sync()
	return e.Edges.Get()
}
