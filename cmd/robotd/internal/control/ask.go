package control

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/robotd/robotd/resources"
)

// A query is the parameters of a GET, read strictly: a name that is not known, or stands twice, is an error.
type query struct {
	path   string
	values url.Values
	err    error
}

// readQuery checks the names of the parameters.
func readQuery(r *http.Request, known ...string) *query {
	q := &query{path: r.URL.Path}
	if q.values, q.err = url.ParseQuery(r.URL.RawQuery); q.err != nil {
		q.err = fmt.Errorf("%s: the parameters cannot be read: %w", q.path, q.err)
		return q
	}
	for _, name := range sortedKeys(q.values) {
		switch {
		case len(known) == 0:
			q.err = fmt.Errorf("%s takes no parameter, not %s", q.path, quote(name))
			return q
		case !slices.Contains(known, name):
			q.err = fmt.Errorf("%s: %w", q.path, resources.Unknown("parameter", name, known))
			return q
		case len(q.values[name]) > 1:
			q.fail(name, "stands more than once")
			return q
		}
	}
	return q
}

func (q *query) fail(name, format string, args ...any) {
	if q.err == nil {
		q.err = fmt.Errorf("%s: %s: %s", q.path, name, fmt.Sprintf(format, args...))
	}
}

func (q *query) has(name string) bool { return q.values.Has(name) }

// text is a parameter as it stands.
func (q *query) text(name string) string { return q.values.Get(name) }

// seconds is a time since the robot's start; otherwise if it is not given.
func (q *query) seconds(name string, otherwise float64) float64 {
	if !q.has(name) {
		return otherwise
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(q.text(name), "s"), 64)
	if err != nil || !(math.Abs(v) <= 1e9) {
		q.fail(name, "%s is no time: seconds since the robot's start are expected, such as 90.5", quote(q.text(name)))
	}
	return v
}

// number is a whole number between two others; otherwise if it is not given.
func (q *query) number(name string, least, most, otherwise uint64) uint64 {
	if !q.has(name) {
		return otherwise
	}
	v, err := strconv.ParseUint(q.text(name), 10, 64)
	if err != nil || v < least || v > most {
		q.fail(name, "%s is no whole number between %d and %d", quote(q.text(name)), least, most)
	}
	return v
}

// window is the span of from and to, by default all that can be read.
func (q *query) window(h HistoryState) (from, to float64) {
	from, to = q.seconds("from", h.First.AtS), q.seconds("to", h.Last.AtS)
	if from > to {
		q.fail("from", "%g s is later than to, %g s", from, to)
	}
	return from, to
}

// tick is the tick that tick or at names; !given if neither stands there.
func (q *query) tick(p Past) (tick uint64, given bool) {
	switch {
	case q.err != nil:
		return 0, false
	case q.has("tick") && q.has("at"):
		q.fail("at", "give either tick or at")
	case q.has("tick"):
		return q.number("tick", 0, math.MaxUint64, 0), true
	case q.has("at"):
		at := q.seconds("at", 0)
		if q.err == nil {
			tick, q.err = p.Tick(at)
		}
		return tick, true
	}
	return 0, false
}

// ask returns the handler of one question about the past, which waits for its turn in a lane.
func ask[T any](s *Server, l *lane, do func(Past, *query) (T, error), known ...string) http.HandlerFunc {
	return l.through(func(r *http.Request) (int, any) {
		p := s.robot.Past()
		q := readQuery(r, known...)
		if q.err == nil && p == nil {
			return http.StatusServiceUnavailable, Answer{Error: ErrNoPast.Error()}
		}
		var answer T
		err := q.err
		if err == nil {
			answer, err = do(p, q)
		}
		if q.err != nil {
			err = q.err
		}
		switch {
		case err == nil:
			return http.StatusOK, answer
		case q.err != nil || errors.Is(err, ErrRefused):
			return http.StatusBadRequest, Answer{Error: err.Error()}
		}
		return http.StatusServiceUnavailable, Answer{Error: err.Error()}
	})
}

func askHistory(p Past, _ *query) (HistoryState, error) { return p.History(), nil }

func askTimeline(p Past, q *query) (*Timeline, error) {
	from, to := q.window(p.History())
	if q.err != nil {
		return nil, q.err
	}
	return p.Timeline(from, to)
}

// Points of a series.
const (
	defaultPoints = 600
	maxPoints     = 5000
	maxSeries     = 16
)

func askSeries(p Past, q *query) (any, error) {
	if !q.has("names") {
		for _, name := range []string{"from", "to", "points"} {
			if q.has(name) {
				q.fail("names", "missing; without it the names are listed, and %s means nothing", name)
				return nil, q.err
			}
		}
		return p.SeriesNames(), nil
	}
	names := strings.Split(q.text("names"), ",")
	if len(names) > maxSeries {
		q.fail("names", "%d are more than %d", len(names), maxSeries)
	}
	from, to := q.window(p.History())
	points := q.number("points", 1, maxPoints, defaultPoints)
	if q.err != nil {
		return nil, q.err
	}
	return p.Series(names, from, to, int(points))
}

func askActivations(p Past, q *query) ([]Activation, error) {
	if q.text("id") == "" {
		q.fail("id", "missing; it names a behavior")
		return nil, q.err
	}
	return p.Activations(q.text("id"))
}

// logLevels are the words of ?level=. Never written.
var logLevels = []string{"debug", "info", "warn", "error"}

func askLog(p Past, q *query) ([]LogEntry, error) {
	from, to := q.window(p.History())
	level := q.text("level")
	if q.has("level") && !slices.Contains(logLevels, level) {
		q.fail("level", "%v", resources.Unknown("level", level, logLevels))
	}
	if q.err != nil {
		return nil, q.err
	}
	return p.Log(LogQuery{from, to, level, q.text("q")})
}

// askWhy tells about a tick, a time, or a time before the newest tick; without one of them about the newest.
func askWhy(p Past, q *query) (*Why, error) {
	tick, given := q.tick(p)
	last := p.History().Last
	switch {
	case q.err == nil && !q.has("id"):
		q.fail("id", "name the behavior to ask about")
	case given && q.has("ago"):
		q.fail("ago", "give one of tick, at and ago")
	case !given && q.has("ago"):
		if ago := q.seconds("ago", 0); q.err == nil {
			tick, q.err = p.Tick(last.AtS - ago)
		}
	case !given:
		tick = last.Tick
	}
	if q.err != nil {
		return nil, q.err
	}
	return p.Why(q.text("id"), tick)
}

// askTree tells about a tick or a time; without one of them about now.
func askTree(p Past, q *query) (*Tree, error) {
	tick, given := q.tick(p)
	if given && tick == 0 && q.err == nil {
		q.fail("tick", "the first tick is 1")
	}
	if q.err != nil {
		return nil, q.err
	}
	return p.Tree(tick)
}

func askBudget(p Past, _ *query) ([]BudgetEntry, error) { return p.Budget() }
