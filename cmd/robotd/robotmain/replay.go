package robotmain

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/replay"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/metrics/record"
)

func (p *program) newReplay() *cobra.Command {
	var verify, diff, asJSON bool
	var folder string
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "Decide a recorded life again, to verify it or with other behavior files",
		Long: `Replay decides a recording again, without a robot: FILE, or the newest life in it if it is a folder. The behavior files are
those that the recording carries.

With --verify it compares every tick, to the bit, and exits with 3 if one differs.
With --resources it decides the same inputs with other behavior files and tells what they decide otherwise, and why; it exits with
3 if they do, or if this program does not decide the recorded files as the robot did. The inputs stay the recorded ones: after the
first movement that differs, the world did not react to the new decisions.`,
		Example: `  robotd replay life.mcap --verify
  robotd replay ~/.local/state/robotd/recordings --resources ./my-robot
  robotd replay life.mcap --resources ./my-robot --json`,
		Args: want(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			changed := c.Flags().Changed("resources")
			switch {
			case diff && !changed:
				return usage("--diff needs --resources DIR: the behavior files to compare with")
			case verify && changed:
				return usage("--verify and --resources exclude each other: other behavior files may decide otherwise")
			}
			return p.replay(c, args[0], folder, changed, asJSON)
		},
	}
	c.Flags().BoolVar(&verify, "verify", false, "compare every tick with the recording (the default)")
	c.Flags().StringVar(&folder, "resources", "", "resource `folder` to decide with instead of the recorded one")
	c.Flags().BoolVar(&diff, "diff", false, "with --resources: tell the differences (the default)")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func (p *program) replay(c *cobra.Command, file, folder string, changed, asJSON bool) error {
	h, err := record.OpenLife(file)
	if err != nil {
		return usage("%v", err)
	}
	defer func() { _ = h.Close() }()
	for _, w := range replay.Warnings(h.Life(), replay.Here(p.version)) {
		_, _ = fmt.Fprintln(c.ErrOrStderr(), "robotd: "+w)
	}
	if !h.Complete() {
		_, _ = fmt.Fprintln(c.ErrOrStderr(), "robotd: "+record.Incomplete)
	}
	tree, err := replay.Tree(h)
	if err != nil {
		return err
	}
	lived, diags := tree.Catalog(p.classes)
	if lived == nil {
		_, _ = fmt.Fprintln(c.ErrOrStderr(), diags)
		return errors.New("this program does not accept the behavior files of the recording: it lacks their classes, or is another version")
	}
	player, err := sets.NewPlayer(tree, lived, p.buildTree)
	if err != nil {
		return err
	}
	if !changed {
		return verifyLife(c, h, lived, player.Changes, asJSON)
	}
	other, err := p.loadTree(folder, c.ErrOrStderr())
	if err != nil {
		return err
	}
	return tellStory(c, h, lived, other, player.Changes, asJSON)
}

func verifyLife(c *cobra.Command, h record.History, lived *catalog.Catalog, changes replay.Changes, asJSON bool) error {
	v, err := replay.Verify(h, lived, changes)
	if err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(c.OutOrStdout()).Encode(v)
	} else {
		err = v.Write(c.OutOrStdout())
	}
	switch {
	case err != nil:
		return err
	case v.Parted != nil:
		return findings()
	}
	return v.Unreadable
}

func tellStory(c *cobra.Command, h record.History, lived, other *catalog.Catalog, changes replay.Changes, asJSON bool) error {
	s, err := replay.Tell(h, lived, other, changes)
	if err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(c.OutOrStdout()).Encode(s)
	} else {
		err = s.Write(c.OutOrStdout())
	}
	switch {
	case err != nil:
		return err
	case !s.Equal || s.Unsure != "":
		return findings()
	case s.Ended != "":
		return errors.New(s.Ended)
	}
	return nil
}
