package setup

import (
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// A Recording says where a run is recorded, and how much.
type Recording struct {
	Dir   string // empty: nowhere
	Limit int64  // bytes of all recordings in Dir; 0 is the default
}

// Recorded returns a copy of what a robot lives with: the tree with the animations inside the binary, and without the page and what else is
// not read.
func (t Tree) Recorded() (*record.Tree, error) {
	return record.NewTree(withBuiltIn(t.FS), resources.Files)
}

// Life describes the life that begins.
func (o *Options) Life(robot string, begin time.Time, simulated bool) record.Life {
	l := record.Life{
		ID: record.NewLifeID(), Begin: begin, Version: o.Version, Go: runtime.Version(), Arch: Arch(), Robot: robot,
		Base: o.Base, Seed: o.Seed, PeriodNS: int64(o.Period), Simulated: simulated, Schema: record.SchemaVersion, Foreign: o.Foreign,
	}
	if l.Base == "" {
		l.Base = o.Catalog.Boot.Base
	}
	if o.Tree != nil {
		l.ResourcesHash = o.Tree.Hash
	}
	return l
}

// Arch is the architecture with its level, on which the rounding of products depends.
func Arch() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return runtime.GOARCH
	}
	for _, s := range info.Settings {
		if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
			return runtime.GOARCH + "/" + s.Value
		}
	}
	return runtime.GOARCH
}

// Recorder begins to record a life; nil if the run is not recorded. In virtual time the run waits for the disk.
func (o *Options) Recorder(life record.Life, topics []record.Topic, virtual bool, log *slog.Logger) (*record.Writer, error) {
	if o.Recording.Dir == "" {
		return nil, nil
	}
	return record.NewWriter(record.Options{
		Dir: o.Recording.Dir, Limit: o.Recording.Limit, Life: life, Topics: topics, Resources: o.Tree, Wait: virtual, Log: log,
	})
}
