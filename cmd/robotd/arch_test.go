package main_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/robotd/robotd/"

// arrows is the package map of ARCHITECTURE.md: what each package may import of ours. The longest prefix of a package's
// path decides. "x" allows package x alone, "x/..." it and everything below; a package may also use its own subpackages
// and the siblings below the same prefix.
var arrows = map[string][]string{
	"cmd/robotd":     {"cmd/robotd/robotmain"},
	"cmd/classes":    {"behaviors/classgen"},
	"metrics":        {"actors/event", "behaviors/engine", "behaviors/stack", "actions", "hardware"},
	"metrics/record": {},

	"actors":            {"actions", "actions/path", "actors/barrier", "actors/clock", "actors/event", "behaviors", "behaviors/catalog", "behaviors/engine", "hardware"},
	"actors/barrier":    {"actors/clock", "actors/event", "behaviors", "behaviors/catalog", "behaviors/engine", "behaviors/stack", "actions"},
	"actors/clock":      {"hardware"},
	"actors/event":      {},
	"actors/actorstest": {"behaviors", "behaviors/catalog", "behaviors/stack", "resources"},

	"behaviors/behaviortest": {"behaviors/...", "actions/...", "hardware/...", "resources", "resources/tracetest"},
	"behaviors/examples":     {"behaviors", "behaviors/condition", "behaviors/dispatch", "behaviors/library/...", "behaviors/param", "actions/...", "hardware", "resources"},
	"behaviors/library":      {"behaviors", "behaviors/condition", "behaviors/dispatch", "behaviors/format", "behaviors/param", "actions/...", "hardware", "resources"},
	"behaviors/param":        {"behaviors", "behaviors/condition", "actions/...", "hardware", "resources"},
	"behaviors/dispatch":     {"behaviors", "behaviors/condition", "behaviors/param", "actions/...", "hardware", "resources"},
	"behaviors/classgen":     {"behaviors"},
	"behaviors/walk":         {"behaviors/catalog", "behaviors/condition", "behaviors/engine", "hardware"},
	"behaviors/format":       {"behaviors", "behaviors/condition", "actions/...", "hardware", "resources"},
	"behaviors/engine":       {"behaviors", "behaviors/catalog", "behaviors/condition", "behaviors/stack", "actions", "actions/animation", "actions/registry", "hardware", "hardware/estimate", "resources"},
	"behaviors/engine/tape":  {"behaviors", "behaviors/condition", "behaviors/engine", "behaviors/stack", "actions", "hardware"},
	"behaviors/intents":      {"behaviors/condition", "resources"},
	"behaviors/catalog":      {"behaviors", "behaviors/condition", "behaviors/intents", "behaviors/format", "actions", "actions/animation", "resources"},
	"behaviors":              {"behaviors/stack", "behaviors/condition", "actions", "actions/animation", "hardware", "resources"},
	"behaviors/reference":    {"behaviors", "behaviors/catalog", "behaviors/condition", "actions", "actions/animation", "hardware", "resources"},
	"behaviors/condition":    {"hardware", "resources"},
	"behaviors/stack":        {},

	"actions":           {"actions/animation", "hardware", "resources"},
	"actions/animation": {"hardware", "resources"},

	"hardware":          {},
	"hardware/estimate": {"hardware"},
	"hardware/chip":     {"hardware"},
	"hardware/emul":     {"hardware"},
	"hardware/hwtest":   {"hardware"},
	"hardware/ugv":      {"hardware"},
	"hardware/device":   {"hardware", "hardware/chip/...", "hardware/profile", "hardware/ugv"},
	"hardware/profile":  {"hardware", "resources"},
	"hardware/sim":      {"hardware", "hardware/emul", "hardware/profile", "resources"},
	"hardware/linux":    {"hardware", "hardware/profile"},
	"hardware/ktest":    {"hardware/..."},
	"hardware/simtest":  {"hardware/..."},

	"resources": {},

	"actions/actiontest":          {"actions/...", "hardware", "resources", "resources/tracetest"},
	"behaviors/format/formattest": {"behaviors/...", "hardware", "resources"},
	"behaviors/engine/enginetest": {"behaviors/...", "actions/...", "hardware/...", "resources", "resources/tracetest"},
	"behaviors/stack/stacktest":   {"behaviors/stack", "resources/tracetest"},
	"resources/tracetest":         {},
	"metrics/promtest":            {},

	"cmd/robotd/robotmain":          product("calibrate", "config", "control", "daemon", "doctor", "eventlog", "export", "facts", "halt", "headless", "replay", "runstats", "sets", "setup", "simrobot", "speech", "top", "view", "why"),
	"cmd/robotd/internal/daemon":    append(product("control", "eventlog", "facts", "feed", "flight", "notify", "replay", "runstats", "sets", "setup", "simrobot", "speech"), "metrics", "metrics/foxglove"),
	"cmd/robotd/internal/headless":  product("control", "eventlog", "facts", "replay", "runstats", "setup", "simrobot"),
	"cmd/robotd/internal/calibrate": product(),
	"cmd/robotd/internal/doctor":    product("speech"),
	"cmd/robotd/internal/export":    product("control", "facts", "feed", "runstats", "setup", "simrobot"),
	"cmd/robotd/internal/facts":     product("control", "feed", "runstats", "setup", "simrobot", "why"),
	"cmd/robotd/internal/feed":      product("control", "eventlog", "runstats", "setup", "simrobot", "why"),
	"cmd/robotd/internal/view":      product("control", "daemon", "facts", "setup"),
	"cmd/robotd/internal/replay":    product("control", "setup", "why"),
	"cmd/robotd/internal/sets":      product("setup"),
	"cmd/robotd/internal/simrobot":  product("control", "setup"),
	"cmd/robotd/internal/runstats":  product("setup"),
	"cmd/robotd/internal/eventlog":  product("control"),
	"cmd/robotd/internal/config":    {"resources"},
	"cmd/robotd/internal/flight":    product(),
	"cmd/robotd/internal/halt":      {"hardware", "hardware/chip/pca9685", "hardware/profile"},
	"cmd/robotd/internal/notify":    {"actors/event", "behaviors/engine"},
	"cmd/robotd/internal/setup":     product(),
	"cmd/robotd/internal/speech":    {"hardware", "hardware/device", "resources"},
	"cmd/robotd/internal/setuptest": product("setup"),
	"cmd/robotd/internal/control":   {"actions", "actions/registry", "hardware", "metrics/record", "resources"},
	"cmd/robotd/internal/top":       {"cmd/robotd/internal/control"},
	"cmd/robotd/internal/why":       product("control"),
}

// product is everything that the wiring below cmd/robotd may import: the robot's own packages, and some rooms of cmd/robotd/internal.
func product(rooms ...string) []string {
	all := []string{"actions/...", "actors/...", "behaviors/...", "hardware/...", "metrics/record", "resources"}
	for _, r := range rooms {
		all = append(all, "cmd/robotd/internal/"+r)
	}
	return all
}

// family lists the packages whose subpackages may import them and each other: a prefix of arrows with "/..." semantics.
var family = []string{"metrics", "actions", "behaviors/library", "behaviors/stack", "hardware/chip", "resources"}

// testSupport packages are imported by tests and by each other only.
var testSupport = []string{"actions/actiontest", "behaviors/behaviortest", "behaviors/engine/enginetest", "behaviors/format/formattest", "behaviors/stack/stacktest", "hardware/hwtest", "hardware/ktest", "hardware/simtest", "actors/actorstest", "resources/tracetest", "metrics/promtest", "cmd/robotd/internal/setuptest"}

// homes says where each third party may be imported, tests included. What is not listed may be imported nowhere.
var homes = map[string][]string{
	"github.com/asynkron/protoactor-go/actor": {"actors"},
	"github.com/orcaman/concurrent-map":       {"actors/barrier"}, // the size of protoactor's registry
	"github.com/jakecoffman/cp/v2":            {"hardware"},
	"periph.io/x/":                            {"hardware", "cmd/robotd"},
	"github.com/warthog618/go-gpiocdev":       {"hardware/linux"},
	"github.com/warthog618/go-gpiocdev/":      {"hardware/linux"},
	"golang.org/x/sys/unix":                   {"hardware/linux", "cmd/robotd", "actors/clock"},
	"github.com/prometheus/":                  {"metrics", "cmd/robotd"},
	"gonum.org/v1/gonum/":                     {"actions/path", "actions/animation"},
	"github.com/foxglove/mcap/":               {"metrics/record"},
	"github.com/klauspost/compress/":          {"metrics/record"},
	"github.com/tidwall/gjson":                {"resources", "cmd/robotd/internal/facts"},
	"github.com/tailscale/hujson":             {"resources"},
	"github.com/coder/websocket":              {"metrics/foxglove"},
	"github.com/coreos/go-systemd/v22/":       {"cmd/robotd"}, // the journal
	"github.com/spf13/":                       {"cmd/robotd"}, // cobra and its flags
	"github.com/cpuguy83/go-md2man/":          {"cmd/robotd/docs"},
	"github.com/aymanbagabas/go-udiff":        {"cmd/robotd"},
	"charm.land/":                             {"cmd/robotd/internal/top"},
	"github.com/charmbracelet/x/":             {"cmd/robotd/internal/top"},
}

// testHomes are the further homes of third parties in test files. The empty prefix is everywhere.
var testHomes = map[string][]string{
	"go.uber.org/goleak":                       {""},
	"pgregory.net/rapid":                       {""},
	"github.com/rogpeppe/go-internal/":         {"cmd/robotd"},
	"github.com/chromedp/":                     {"cmd/robotd"},
	"github.com/santhosh-tekuri/jsonschema/v6": {"resources", "behaviors", "cmd/robotd"},
	"github.com/getkin/kin-openapi/":           {"cmd/robotd"},
	"github.com/coder/websocket":               {"cmd/robotd"},
	"periph.io/x/conn/v3/":                     {"actors"}, // to build a board
}

// listed is what `go list -json` tells about one package.
type listed struct {
	ImportPath, Dir                    string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
	Deps                               []string
}

// name is the import path inside the module; "" for the root.
func (p *listed) name() string { return strings.TrimPrefix(p.ImportPath, module) }

func packages(t *testing.T) []*listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-tags", "e2e", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports,Deps", module+"...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatalf("go list: %v", err)
	}
	var all []*listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := &listed{}
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 20 {
		t.Fatalf("go list found %d packages only", len(all))
	}
	return all
}

// under reports whether path is prefix or below it.
func under(path, prefix string) bool {
	return prefix == "" || path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")
}

// ruleOf is the longest prefix of name in arrows; false if there is none.
func ruleOf(name string) (string, bool) {
	for p := name; p != "."; p = filepath.Dir(p) {
		if _, ok := arrows[p]; ok {
			return p, true
		}
	}
	return "", false
}

// mayImport reports whether an arrow leads from package name to package to.
func mayImport(name, rule, to string) bool {
	if slices.Contains(family, rule) && under(to, rule) {
		return true
	}
	for _, a := range arrows[rule] {
		if base, tree := strings.CutSuffix(a, "..."); tree && under(to, strings.TrimSuffix(base, "/")) || a == to {
			return true
		}
	}
	return false
}

func TestArchImportsFollowThePackageMap(t *testing.T) {
	for _, p := range packages(t) {
		name := p.name()
		rule, ok := ruleOf(name)
		if !ok {
			t.Errorf("%s: not in the package map; add it to arrows here, to .golangci.yml and to ARCHITECTURE.md", name)
			continue
		}
		for _, imp := range p.Imports {
			to, ours := strings.CutPrefix(imp, module)
			if !ours {
				continue
			}
			if !mayImport(name, rule, to) {
				t.Errorf("%s imports %s: no arrow leads there", name, to)
			}
			if slices.Contains(testSupport, to) && !slices.Contains(testSupport, name) {
				t.Errorf("%s imports %s, which is for tests", name, to)
			}
		}
	}
}

func TestArchThirdPartyImportsStayInTheirPackages(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			if thirdParty(imp) && !atHome(p.name(), imp, homes) {
				t.Errorf("%s imports %s, which has its home elsewhere", p.name(), imp)
			}
		}
		for _, imp := range append(p.TestImports, p.XTestImports...) {
			if thirdParty(imp) && !atHome(p.name(), imp, homes) && !atHome(p.name(), imp, testHomes) {
				t.Errorf("tests of %s import %s, which has its home elsewhere", p.name(), imp)
			}
		}
	}
}

// thirdParty reports whether a path belongs to another module. The first element of a standard library path has no dot.
func thirdParty(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && !strings.HasPrefix(path, module)
}

func atHome(name, imp string, homes map[string][]string) bool {
	for prefix, where := range homes {
		if imp == prefix || strings.HasSuffix(prefix, "/") && strings.HasPrefix(imp, prefix) {
			if slices.ContainsFunc(where, func(h string) bool { return under(name, h) }) {
				return true
			}
		}
	}
	return false
}

// The module file of protoactor lists Kubernetes, etcd and consul; they stay out as long as nothing below cluster or remote
// is linked.
func TestArchNoClusterIsLinked(t *testing.T) {
	for _, p := range packages(t) {
		for _, dep := range p.Deps {
			if under(dep, "github.com/asynkron/protoactor-go/cluster") || under(dep, "github.com/asynkron/protoactor-go/remote") {
				t.Errorf("%s links %s", p.name(), dep)
			}
		}
	}
}

func TestArchLeafPackagesImportTheStandardLibraryOnly(t *testing.T) {
	leaves := []string{"behaviors/stack", "hardware", "actors/event", "resources/tracetest"}
	for _, p := range packages(t) {
		if !slices.Contains(leaves, p.name()) {
			continue
		}
		leaves = slices.DeleteFunc(leaves, func(l string) bool { return l == p.name() })
		for _, dep := range p.Deps {
			if thirdParty(dep) || strings.HasPrefix(dep, module) {
				t.Errorf("%s links %s", p.name(), dep)
			}
		}
	}
	if len(leaves) > 0 {
		t.Errorf("not found: %v", leaves)
	}
}

// timeless are the packages that take time, random numbers and the world as parameters and start no goroutine.
var timeless = []string{"behaviors", "actions", "hardware", "resources"}

// clocks are the functions of package time that read or wait for the machine's clock.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// timely are the files of timeless packages that start a goroutine nevertheless. In virtual time they do not.
var timely = []string{"hardware/device/cut.go"} // a stop over a bus that may hang waits for nobody

func TestArchCoreUsesNoClockGoroutineOrGlobalRandomness(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		name := p.name()
		if slices.Contains(testSupport, name) || !slices.ContainsFunc(timeless, func(prefix string) bool { return under(name, prefix) }) {
			continue
		}
		for _, file := range p.GoFiles {
			if slices.Contains(timely, name+"/"+file) {
				continue
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			ast.Inspect(f, func(n ast.Node) bool {
				if what := impure(n); what != "" {
					at := set.Position(n.Pos())
					t.Errorf("%s/%s:%d: %s", name, file, at.Line, what)
				}
				return true
			})
		}
	}
	if seen < 100 {
		t.Errorf("only %d files were read", seen)
	}
}

// impure describes what a node does that the core must not do; "" if it does nothing of the kind.
func impure(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "starts a goroutine"
	case *ast.SelectorExpr:
		pkg, ok := n.X.(*ast.Ident)
		switch {
		case !ok:
		case pkg.Name == "time" && slices.Contains(clocks, n.Sel.Name):
			return "uses the machine's clock: time." + n.Sel.Name
		case pkg.Name == "rand" && ast.IsExported(n.Sel.Name) && !strings.HasPrefix(n.Sel.Name, "New") && !randType(n.Sel.Name):
			return "uses global chance: rand." + n.Sel.Name
		}
	}
	return ""
}

func randType(name string) bool {
	return slices.Contains([]string{"Rand", "Source", "PCG", "ChaCha8", "Zipf"}, name)
}

// Each import here is forbidden. A rule that allows everything fails this test.
func TestArchRulesRefuseForbiddenImports(t *testing.T) {
	for _, c := range []struct{ from, to string }{
		{"behaviors/stack", "hardware"},
		{"behaviors/condition", "actions"},
		{"behaviors", "behaviors/catalog"},
		{"behaviors", "behaviors/engine"},
		{"behaviors/catalog", "behaviors/engine"},
		{"behaviors/library/charging", "behaviors/catalog"},
		{"behaviors/library/charging", "actors"},
		{"behaviors/engine", "actors"},
		{"actions/motion", "behaviors"},
		{"actors", "metrics"},
		{"actors", "hardware/device"},
		{"actors/barrier", "actors"},
		{"actors/barrier", "hardware"},
		{"actors/clock", "actors/barrier"},
		{"metrics", "actors"},
		{"hardware/device", "hardware/sim"},
		{"hardware/device", "hardware/emul"},
		{"hardware/chip/ina219", "hardware/device"},
		{"resources", "hardware"},
		{"resources/tracetest", "behaviors/stack"},
		{"behaviors/stack", "resources/tracetest"},
		{"resources/tracetest", "resources"},
		{"cmd/robotd", "cmd/robotd/internal/daemon"},
		{"cmd/robotd/internal/headless", "cmd/robotd/internal/daemon"},
		{"cmd/robotd/internal/feed", "metrics"},
		{"cmd/robotd/internal/control", "cmd/robotd/internal/feed"},
		{"cmd/robotd/internal/top", "behaviors"},
	} {
		rule, ok := ruleOf(c.from)
		if !ok || mayImport(c.from, rule, c.to) {
			t.Errorf("%s may import %s", c.from, c.to)
		}
	}
	for _, c := range []struct{ from, imp string }{
		{"behaviors/engine", "github.com/asynkron/protoactor-go/actor"},
		{"actors", "github.com/asynkron/protoactor-go/remote"},
		{"actors", "github.com/prometheus/client_golang/prometheus"},
		{"behaviors", "github.com/tidwall/gjson"},
		{"resources", "github.com/spf13/cobra"},
		{"cmd/robotd/internal/control", "charm.land/bubbletea/v2"},
		{"behaviors/library/charging", "periph.io/x/conn/v3/i2c"},
	} {
		if atHome(c.from, c.imp, homes) {
			t.Errorf("%s may import %s", c.from, c.imp)
		}
	}
	for _, src := range []string{"time.Now()", "time.Sleep(1)", "rand.IntN(3)", "func() { go f() }"} {
		e, err := parser.ParseExpr(src)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ast.Inspect(e, func(n ast.Node) bool { found = found || n != nil && impure(n) != ""; return true })
		if !found {
			t.Errorf("%s passes", src)
		}
	}
}
