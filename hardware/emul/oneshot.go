package emul

// A OneShot is a retriggerable monostable of the 74x123 family (SN74LVC1G123; the function table as from memory). Its inputs
// are levels, but only an edge begins a pulse:
//
//	CLR A B   Q
//	L   x x   low; a running pulse ends
//	H   H x   no edge of B counts
//	H   x L   no edge of A counts
//	H   L ↑   a pulse; a running one begins anew
//	H   ↓ H   the same
//	↑   L H   the same
//
// The width of a pulse is that of the resistor and the capacitor; the world behind the chip keeps its time. The owner of the
// lines that lead to its inputs calls the methods, one at a time, as [Lines.OnOutput] does for one line.
type OneShot struct {
	a, b, clear bool // levels; clear is the pin CLR, high in operation
	begin, end  func()
}

// NewOneShot returns the chip as at power-on: every input low, no pulse. begin is called for each pulse that begins or begins
// anew, end when CLR ends one.
func NewOneShot(begin, end func()) *OneShot { return &OneShot{begin: begin, end: end} }

// A sets the inverting trigger input.
func (o *OneShot) A(high bool) {
	fell := o.a && !high
	o.a = high
	o.trigger(fell)
}

// B sets the trigger input.
func (o *OneShot) B(high bool) {
	rose := !o.b && high
	o.b = high
	o.trigger(rose)
}

// Clear sets the pin CLR.
func (o *OneShot) Clear(high bool) {
	rose := !o.clear && high
	o.clear = high
	if !high {
		o.end()
	}
	o.trigger(rose)
}

// trigger begins a pulse after an edge in the direction of its input.
func (o *OneShot) trigger(edge bool) {
	if edge && o.clear && !o.a && o.b {
		o.begin()
	}
}
