package robotmain

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/robotd/robotd/cmd/robotd/internal/config"
)

// Commands returns the tree of commands, for programs that write manuals of it.
func Commands(o Options) (*cobra.Command, error) {
	p, err := newProgram(o)
	if err != nil {
		return nil, err
	}
	return p.root(io.Discard, io.Discard), nil
}

// Escaped is a text as Markdown that shows it as it is.
func Escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, "`", "\\`", `<`, `\<`, `[`, `\[`).Replace(text)
}

// SettingsManual is the manual of robotd.json in Markdown, from NAME on.
func SettingsManual() string {
	var b strings.Builder
	b.WriteString(`# NAME
robotd.json - settings of robotd

# SYNOPSIS
/etc/robotd/robotd.json

$XDG\_CONFIG\_HOME/robotd/robotd.json

# DESCRIPTION
A JSON object; comments are allowed. Its keys are named like the flags of **robotd run**. A setting comes from the command line, else from its
variable, else from the file of the user, else from that of the system, else it has its default. **robotd config** prints what holds and where it comes from,
**robotd check** *FILE* checks a file, **robotd schema** has its JSON Schema. A file with mistakes keeps the daemon from starting; it exits with 3 and tells
file, line and column of each. The file is read at the start only.

Times are texts such as "60ms" or "30m", sizes such as "1GiB".

# SETTINGS
`)
	knownSettings().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		def := ""
		if f.DefValue != "" {
			def = fmt.Sprintf(" Default: %s.", Escaped(f.DefValue))
		}
		kind := map[string]string{"bool": "true or false", "uint64": "number", "duration": "time", "size": "size"}[f.Value.Type()]
		if kind == "" {
			kind = "text"
		}
		fmt.Fprintf(&b, "**%s** (%s, **%s**)\n: %s.%s\n\n", f.Name, kind, Escaped(config.VariableOf(f.Name)), Escaped(usage), def)
	})
	b.WriteString(`# EXAMPLE
    {
      // the robot on the kitchen table
      "robot": "sim",
      "realtime": true,
      "record-limit": "4GiB"
    }

# EXIT STATUS
**0** done; **1** failed while running; **2** wrong command line or variable; **3** mistakes in this file or in behavior files; **4** no daemon answers. The unit
file does not start a daemon again after 2 and 3.

# SEE ALSO
**robotd(1)**, **robotd-config(1)**, **robotd-run(1)**
`)
	return b.String()
}
