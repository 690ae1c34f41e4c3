// Command docs writes the man pages of robotd and the completions of its command line: `go run ./cmd/robotd/docs DIR` makes DIR/man1, DIR/man5
// and DIR/completions. $SOURCE_DATE_EPOCH dates the pages.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/robotd/robotd/cmd/robotd/robotmain"
)

// version is set by the linker (-X main.version=…).
var version = "dev"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: docs DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1], date()); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// date is that of the pages.
func date() time.Time {
	if s, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(s, 0).UTC()
	}
	return time.Now().UTC()
}

// write writes all files below dir.
func write(dir string, at time.Time) error {
	man1, man5, completions := filepath.Join(dir, "man1"), filepath.Join(dir, "man5"), filepath.Join(dir, "completions")
	for _, d := range []string{man1, man5, completions} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return err
		}
	}
	root, err := robotmain.Commands(robotmain.Options{Version: version})
	if err != nil {
		return err
	}
	plain(root)
	header := &doc.GenManHeader{Section: "1", Date: &at, Source: "robotd " + version, Manual: "robotd"}
	if err := doc.GenManTree(root, header, man1); err != nil {
		return err
	}
	settings := fmt.Sprintf("%% \"ROBOTD.JSON\" \"5\" \"%s\" \"robotd %s\" \"robotd\"\n%s", at.Format("Jan 2006"), version, robotmain.SettingsManual())
	return errors.Join(
		os.WriteFile(filepath.Join(man5, "robotd.json.5"), md2man.Render([]byte(settings)), 0o644),
		root.GenBashCompletionFileV2(filepath.Join(completions, "robotd.bash"), true),
		root.GenZshCompletionFile(filepath.Join(completions, "_robotd")),
		root.GenFishCompletionFile(filepath.Join(completions, "robotd.fish"), true),
	)
}

// plain keeps the texts of the commands from being read as Markdown, and the date of generation out of the pages.
func plain(c *cobra.Command) {
	c.DisableAutoGenTag = true
	c.Long = robotmain.Escaped(c.Long)
	for _, sub := range c.Commands() {
		plain(sub)
	}
}
