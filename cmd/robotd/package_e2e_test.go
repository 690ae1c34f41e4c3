//go:build e2e

package main_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Each unit is hardened at least this far, by systemd's own measure from 0 to 10.
const maxExposure = 2.0

func TestUnitsAreHardened(t *testing.T) {
	t.Parallel()
	units, err := filepath.Glob("../../resources/systemd/*.service")
	if err != nil || len(units) != 2 {
		t.Fatalf("%v, %v", units, err)
	}
	units = append(units, "../../resources/examples/camera/robotd-camera.service")
	for _, unit := range units {
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", unit).CombinedOutput()
		m := regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`).FindSubmatch(out)
		if m == nil {
			t.Fatalf("%s: %v\n%s", unit, err, out)
		}
		if v, err := strconv.ParseFloat(string(m[1]), 64); err != nil || v > maxExposure {
			t.Errorf("%s: exposure %s, want at most %v", unit, m[1], maxExposure)
		}
	}
}

// A machine is a system of its own: a real systemd in namespaces, over the files of this machine.
type machine struct {
	t   *testing.T
	pid string
}

// boot starts a machine that sees the packages of a folder in /debs.
func boot(t *testing.T, debs string) *machine {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can boot a system in namespaces: the package is not tried")
	}
	script, err := filepath.Abs("testdata/systemd/boot.sh")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := exec.Command("unshare", "--mount", "--pid", "--fork", "--kill-child", "--cgroup", "--uts", "--ipc", "--net", "--propagation", "private",
		"bash", script, t.TempDir(), debs)
	c.Stdout, c.Stderr = &out, &out
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-ended
	})
	m := &machine{t: t}
	m.until("the system boots", func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the system did not boot: %v\n%s", err, out.String())
		default:
		}
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", c.Process.Pid, c.Process.Pid))
		m.pid = strings.TrimSpace(string(children))
		state, _ := m.try("systemctl is-system-running")
		return m.pid != "" && (state == "running" || state == "degraded")
	})
	return m
}

// try runs a shell command inside.
func (m *machine) try(command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, "nsenter", "--target", m.pid, "--all", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "sh", "-c", command).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// run is try for a command that must succeed.
func (m *machine) run(command string) string {
	m.t.Helper()
	out, err := m.try(command)
	if err != nil {
		log, _ := m.try("journalctl --no-pager --quiet --unit=robotd --lines=20")
		m.t.Fatalf("%s: %v\n%s\n%s", command, err, out, log)
	}
	return out
}

// shows is the value of a property of the daemon's unit.
func (m *machine) shows(property string) string {
	return m.run("systemctl show robotd --value --property=" + property)
}

// until waits until a question is answered with true.
func (m *machine) until(what string, f func() bool) {
	m.t.Helper()
	over := time.After(4 * time.Minute)
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for !f() {
		select {
		case <-look.C:
		case <-over:
			log, _ := m.try("journalctl --no-pager --quiet --unit=robotd --lines=20")
			m.t.Fatalf("it never happens: %s\n%s", what, log)
		}
	}
}

// journal reports whether a line of the daemon's journal matches.
func (m *machine) journal(pattern string) bool {
	return m.told("--unit=robotd", pattern)
}

// told waits for a line of the journal, which may be behind.
func (m *machine) told(which, pattern string) bool {
	line := regexp.MustCompile(pattern)
	for end := time.Now().Add(time.Minute); ; {
		if out, _ := m.try("journalctl --no-pager --quiet --output=cat " + which); line.MatchString(out) {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// files lists what a package could leave behind. Logs, caches and dpkg's own files are not its.
func (m *machine) files() []string {
	out := m.run(`find /etc /usr /lib/ /var /opt /srv -xdev ! -type s \( -path /var/log -o -path /var/cache -o -path /var/lib/dpkg -o -path /var/tmp \) -prune -o -print | LC_ALL=C sort`)
	return strings.Split(out, "\n")
}

// build makes a package of this machine's architecture.
func build(t *testing.T, dir, version string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "../../.ci/deb")
	arch, err := exec.CommandContext(t.Context(), "dpkg", "--print-architecture").Output()
	if err != nil {
		t.Fatal(err)
	}
	c.Env = append(os.Environ(), "OUT="+dir, "DEB_VERSION="+version, "DEB_COMPRESS=gzip", "DPKG_DEB_COMPRESSOR_LEVEL=1", "ARCHES="+strings.TrimSpace(string(arch)))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestPackageUnderSystemd installs, breaks, upgrades, removes and purges the package as its owner does.
func TestPackageUnderSystemd(t *testing.T) {
	t.Parallel()
	debs := t.TempDir()
	for _, version := range []string{"1.0", "2.0"} {
		build(t, debs, version)
	}
	if out, err := exec.CommandContext(t.Context(), "lintian", "--allow-root", "--fail-on", "error,warning", debs+"/robotd_1.0_amd64.deb").CombinedOutput(); err != nil {
		t.Errorf("lintian: %v\n%s", err, out)
	}
	m := boot(t, debs)
	before := m.files()

	m.run("dpkg --install /debs/robotd_1.0_*.deb")
	if got := m.run("systemctl is-enabled robotd robotd-stop-motors"); got != "enabled\nenabled" {
		t.Errorf("the units are %q", got)
	}
	if state := m.shows("ActiveState"); state != "active" {
		t.Errorf("the daemon is %s after the installation", state)
	}
	if got := m.run("stat -c %U /proc/" + m.shows("MainPID")); got != "robotd" {
		t.Errorf("the daemon runs as %s", got)
	}
	if limit := m.shows("StartLimitIntervalUSec"); limit != "0" {
		t.Errorf("starts are limited within %s", limit)
	}
	for _, group := range []string{"i2c", "gpio", "spi", "dialout"} {
		if got := m.run("id -nG robotd"); !slices.Contains(strings.Fields(got), group) {
			t.Errorf("the user is in %s, not in %s", got, group)
		}
	}
	m.until("the status line says what the robot does", func() bool { return !strings.HasPrefix(m.shows("StatusText"), "starting") })
	m.run("test -f /usr/share/man/man1/robotd-ctl-intent.1.gz && test -f /usr/share/man/man5/robotd.json.5.gz && test -d /var/lib/robotd/recordings")
	m.run("systemctl reload robotd")
	m.until("the reload ends", func() bool { return m.shows("SubState") == "running" })

	t.Run("killed daemon is started again, its motors are off between", m.killed)
	t.Run("daemon whose ticks stop is killed by the watchdog", m.frozen)
	t.Run("wrong configuration is not tried again", m.misconfigured)

	// An edited configuration survives an upgrade, which restarts the daemon.
	m.run(`printf '{"period": "40ms", "robot": "sim"}' > /etc/robotd/robotd.json && systemctl reset-failed robotd && systemctl restart robotd`)
	old := m.shows("MainPID")
	m.run("dpkg --install /debs/robotd_2.0_*.deb")
	if now := m.shows("MainPID"); now == old || now == "0" {
		t.Errorf("the process was %s and is %s after the upgrade", old, now)
	}
	if got := m.run("robotd version; robotd config"); !strings.Contains(got, "robotd 2.0 ") || !regexp.MustCompile(`(?m)^period +40ms +/etc/robotd/robotd.json:1:12$`).MatchString(got) {
		t.Errorf("after the upgrade: %s", got)
	}

	// A removal stops it and keeps configuration and state; a purge leaves nothing.
	m.run("dpkg --remove robotd")
	if out, err := m.try("systemctl is-active robotd"); err == nil {
		t.Errorf("after the removal: %s", out)
	}
	m.run("test -f /etc/robotd/robotd.json && test -d /var/lib/robotd && test ! -e /usr/bin/robotd")
	m.run("dpkg --purge robotd")
	if out, err := m.try("getent passwd robotd || getent group robotd"); err == nil {
		t.Errorf("after the purge there is %s", out)
	}
	for _, name := range m.files() {
		if _, there := slices.BinarySearch(before, name); !there && !slices.Contains(accounts, name) {
			t.Errorf("the purge leaves %s", name)
		}
	}
}

// accounts are the copies that the programs for users and groups keep of their files.
var accounts = []string{"/etc/.pwd.lock", "/etc/group-", "/etc/gshadow-", "/etc/passwd-", "/etc/shadow-", "/etc/subgid-", "/etc/subuid-"}

// killed kills the daemon as the kernel does when memory is short.
func (m *machine) killed(t *testing.T) {
	old := m.shows("MainPID")
	m.run("kill -KILL " + old)
	m.until("the daemon is started again", func() bool { return m.shows("NRestarts") == "1" && m.shows("ActiveState") == "active" })
	if !m.journal("there are no motors to stop") {
		t.Error("nobody switched the motors off")
	}
	if now := m.shows("MainPID"); now == old || now == "0" {
		t.Errorf("the process was %s and is %s", old, now)
	}
}

// frozen stops the process, so that no tick is completed.
func (m *machine) frozen(t *testing.T) {
	m.run(`mkdir -p /run/systemd/system/robotd.service.d && printf '[Service]\nTimeoutAbortSec=2\n' > /run/systemd/system/robotd.service.d/test.conf &&
		systemctl daemon-reload && systemctl restart robotd`)
	frozen := m.shows("MainPID")
	m.run("kill -STOP " + frozen)
	m.until("the watchdog ends the frozen daemon, which is started again", func() bool {
		return m.shows("NRestarts") != "0" && m.shows("ActiveState") == "active" && m.shows("MainPID") != frozen
	})
	if !m.told("UNIT=robotd.service", "Watchdog timeout") {
		t.Error("the manager does not say that it was the watchdog")
	}
	m.run("rm -r /run/systemd/system/robotd.service.d && systemctl daemon-reload && systemctl restart robotd")
}

func (m *machine) misconfigured(t *testing.T) {
	m.run(`printf '{"perido": "40ms"}' > /etc/robotd/robotd.json`)
	if out, err := m.try("systemctl restart robotd"); err == nil {
		t.Errorf("it starts: %s", out)
	}
	if state, code, again := m.shows("ActiveState"), m.shows("ExecMainStatus"), m.shows("NRestarts"); state != "failed" || code != "3" || again != "0" {
		t.Errorf("the daemon is %s with %s, started again %s times", state, code, again)
	}
	if !m.journal(`/etc/robotd/robotd.json:1:2: error: unknown key "perido"; did you mean "period"\?`) {
		t.Error("the journal does not tell the place")
	}
}
