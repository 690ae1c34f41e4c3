package control

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/robotd/robotd/actions/registry"
)

// operatorLines is how many lines about operators the log takes in operatorEvery at info level. Further ones come at debug level, so that
// a program that posts without end does not push everything else out of the log.
const (
	operatorLines = 20
	operatorEvery = 10 * time.Second
)

// operatorText is how many bytes of a text the log takes: texts may hold what the client sent, which is up to 64 KB, and the page is sent the newest lines.
const operatorText = 300

// An operatorLog tells the log what people and their programs asked of the robot.
type operatorLog struct {
	log *slog.Logger
	now func() time.Time

	mu    sync.Mutex
	since time.Time
	lines int
}

// told logs one command and its answer. Detections come several times a second from a program that sees, and are no request; nor is an order of
// direct driving that only goes on.
func (o *operatorLog) told(path, text string, err error) {
	level := slog.LevelInfo
	if path == detectionsPath || path == drivePath && err == nil && text == registry.SteerOn || !o.take() {
		level = slog.LevelDebug
	}
	request := slog.String("request", strings.TrimPrefix(path, "/v1/"))
	if err != nil {
		o.log.Log(context.Background(), level, "operator is refused", request, slog.String("why", short(err.Error())))
		return
	}
	o.log.Log(context.Background(), level, "operator", request, slog.String("answer", short(text)))
}

func short(text string) string {
	if len(text) <= operatorText {
		return text
	}
	return strings.ToValidUTF8(text[:operatorText], "") + "…"
}

// take reports whether there is room for a line.
func (o *operatorLog) take() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := o.now(); now.Sub(o.since) >= operatorEvery {
		o.since, o.lines = now, 0
	}
	o.lines++
	return o.lines <= operatorLines
}
