package estimate

import (
	"math"

	"github.com/robotd/robotd/hardware"
)

// view is a sighting as the filter expects it: distance, bearing and heading of a landmark, and by how much each changes with the pose of the
// robot now and with that of the landmark.
type view struct {
	z        [3]float64
	by, mark [3][3]float64
}

// expect is the view of the landmark i by a robot whose raw odometry was from.
func (l *landmarks) expect(i int, from hardware.Pose) (v view, ok bool) {
	c := l.fused(from)
	lx, ly, lh := l.x[3+3*i], l.x[4+3*i], l.x[5+3*i]
	dx, dy := lx-c.XMM, ly-c.YMM
	q := dx*dx + dy*dy
	if q < 1 {
		return v, false
	}
	r := math.Sqrt(q)
	v.z = [3]float64{r, hardware.WrapRad(math.Atan2(dy, dx) - c.HeadingRad), hardware.WrapRad(lh - c.HeadingRad)}
	v.mark = [3][3]float64{{dx / r, dy / r, 0}, {-dy / q, dx / q, 0}, {0, 0, 1}}
	// The pose then follows from the pose now by a fixed step, so it turns about the robot with the heading.
	a, b := -(c.YMM - l.x[1]), c.XMM-l.x[0]
	for k := range v.by {
		x, y := -v.mark[k][0], -v.mark[k][1]
		v.by[k] = [3]float64{x, y, x*a + y*b}
	}
	v.by[1][2]--
	v.by[2][2]--
	return v, true
}

// row is a row of the Jacobian of a sighting of the landmark i times the covariance, Σ h[k]·P[·][k], at the first states.
func (l *landmarks) row(h *[dim]float64, by, mark *[3]float64, i, states int) {
	x, y, turn := &l.p[0], &l.p[1], &l.p[2]
	m := l.p[3+3*i:][:3]
	for j := range states {
		h[j] = by[0]*x[j] + by[1]*y[j] + by[2]*turn[j] + mark[0]*m[0][j] + mark[1]*m[1][j] + mark[2]*m[2][j]
	}
}

// update corrects the state by a sighting of the landmark i with variances of noise. It returns false if the sighting is too far off what was
// expected.
func (l *landmarks) update(i int, v *view, off, noise *[3]float64) bool {
	size := 3 + 3*l.n
	var hp [3][dim]float64
	for k := range hp {
		l.row(&hp[k], &v.by[k], &v.mark[k], i, size)
	}
	var cov [3][3]float64
	m := 3 + 3*i
	for a := range cov {
		for b := range cov {
			cov[a][b] = v.by[b][0]*hp[a][0] + v.by[b][1]*hp[a][1] + v.by[b][2]*hp[a][2] +
				v.mark[b][0]*hp[a][m] + v.mark[b][1]*hp[a][m+1] + v.mark[b][2]*hp[a][m+2]
		}
		cov[a][a] += noise[a]
	}
	inv, ok := inverse(&cov)
	if !ok || !(form(&inv, off) <= gate) {
		return false
	}
	var gain [dim][3]float64
	var step [dim]float64
	for j := range size {
		h0, h1, h2, g := hp[0][j], hp[1][j], hp[2][j], &gain[j]
		for a := range g {
			g[a] = h0*inv[0][a] + h1*inv[1][a] + h2*inv[2][a]
			step[j] += g[a] * off[a]
		}
	}
	l.apply(&hp, &cov, &gain, &step, size)
	return true
}

// apply takes the step, or as much of it as the pose may move at once. The covariance is that of any gain K: P − K·HP − (K·HP)ᵀ + K·S·Kᵀ.
func (l *landmarks) apply(hp *[3][dim]float64, cov *[3][3]float64, gain *[dim][3]float64, step *[dim]float64, size int) {
	share := 1.0
	if d := math.Hypot(step[0], step[1]); d > stepMM {
		share = stepMM / d
	}
	if a := math.Abs(step[2]); a*share > stepRad {
		share = stepRad / a
	}
	var weight [dim][3]float64 // S·Kᵀ
	for j := range size {
		l.x[j] += share * step[j]
		g, w := &gain[j], &weight[j]
		for a := range g {
			g[a] *= share
		}
		for a := range w {
			w[a] = cov[a][0]*g[0] + cov[a][1]*g[1] + cov[a][2]*g[2]
		}
	}
	for i := range size { // without a loop over the three parts, because most of an update's time passes here
		p, g0, g1, g2, h0, h1, h2 := &l.p[i], gain[i][0], gain[i][1], gain[i][2], hp[0][i], hp[1][i], hp[2][i]
		for j := i; j < size; j++ {
			g, w := &gain[j], &weight[j]
			d := 0.0
			d -= g0*hp[0][j] + g[0]*h0
			d += g0 * w[0]
			d -= g1*hp[1][j] + g[1]*h1
			d += g1 * w[1]
			d -= g2*hp[2][j] + g[2]*h2
			d += g2 * w[2]
			p[j] += d
			l.p[j][i] = p[j]
		}
	}
	l.x[2] = hardware.WrapRad(l.x[2])
	l.correct(l.raw, hardware.Pose{XMM: l.x[0], YMM: l.x[1], HeadingRad: l.x[2]})
}

// begin places the landmark i where a sighting has it, as uncertain as robot and sighting are.
func (l *landmarks) begin(i int, s seen) {
	l.marks[i] = landmark{id: s.o.ID, charger: s.charger, at: s.at, times: l.scatter.times()}
	c, at := l.fused(s.from), s.place(l)
	m := 3 + 3*i
	l.x[m], l.x[m+1], l.x[m+2] = at.XMM, at.YMM, at.HeadingRad
	by := [3][3]float64{{1, 0, -(at.YMM - l.x[1])}, {0, 1, at.XMM - l.x[0]}, {0, 0, 1}} // by the pose now
	sin, cos := math.Sincos(c.HeadingRad + s.o.BearingRad)
	r := s.o.DistanceMM
	z := [3][3]float64{{cos, -r * sin, 0}, {sin, r * cos, 0}, {0, 0, 1}} // by the sighting
	for k := range 3 {
		for j := range dim {
			v := 0.0
			if j < m || j >= m+3 {
				v = by[k][0]*l.p[0][j] + by[k][1]*l.p[1][j] + by[k][2]*l.p[2][j]
			}
			l.p[m+k][j], l.p[j][m+k] = v, v
		}
	}
	for a := range 3 {
		for b := range 3 {
			v := 0.0
			for k := range 3 {
				v += l.p[m+a][k]*by[b][k] + z[a][k]*s.noise[k]*z[b][k]
			}
			l.p[m+a][m+b] = v
		}
	}
}

// form is the quadratic form of a symmetric matrix.
func form(m *[3][3]float64, v *[3]float64) (sum float64) {
	for a := range v {
		for b := range v {
			sum += v[a] * m[a][b] * v[b]
		}
	}
	return sum
}

// inverse of a symmetric matrix by its cofactors; false if it has none.
func inverse(m *[3][3]float64) (inv [3][3]float64, ok bool) {
	a, b, c, d, e, f := m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]
	det := a*(d*f-e*e) - b*(b*f-c*e) + c*(b*e-c*d)
	if !(det > 0) {
		return inv, false
	}
	inv[0] = [3]float64{(d*f - e*e) / det, (c*e - b*f) / det, (b*e - c*d) / det}
	inv[1] = [3]float64{inv[0][1], (a*f - c*c) / det, (b*c - a*e) / det}
	inv[2] = [3]float64{inv[0][2], inv[1][2], (a*d - b*b) / det}
	return inv, true
}

// spread is the standard deviation along the longer axis of the ellipse of a covariance of a place.
func spread(xx, xy, yy float64) float64 {
	mean := (xx + yy) / 2
	return math.Sqrt(max(0, mean+math.Hypot((xx-yy)/2, xy)))
}

// sure writes how sure the believed pose is: the axes of the ellipse of its covariance are the square roots of the eigenvalues, and the longer
// one lies in the direction ½·atan2(2·xy, xx−yy).
func (l *landmarks) sure(b *hardware.Body) {
	xx, xy, yy := l.p[0][0], l.p[0][1], l.p[1][1]
	b.PoseSigmaMM = spread(xx, xy, yy)
	b.PoseAcrossMM = math.Sqrt(max(0, xx+yy-b.PoseSigmaMM*b.PoseSigmaMM))
	b.PoseAxisRad = math.Atan2(2*xy, xx-yy) / 2
	b.HeadingSigmaRad = math.Sqrt(max(0, l.p[2][2]))
}

// sigma is the standard deviation of the place of a landmark relative to that of the robot.
func (l *landmarks) sigma(i int) float64 {
	m := 3 + 3*i
	at := func(a, b int) float64 { return l.p[m+a][m+b] + l.p[a][b] - l.p[m+a][b] - l.p[a][m+b] }
	return spread(at(0, 0), at(0, 1), at(1, 1))
}
