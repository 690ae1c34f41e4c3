package robotmain

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/hardware/board"
)

func newBoard() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "board",
		Short: "List the buses, ports and lines that this machine offers",
		Long: `board asks periph which I²C buses, SPI ports and GPIO lines this machine offers, and says what a robot of the reference
build would miss. It changes nothing. Driving a real board is not built yet.`,
		Args: want(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			r := board.Probe()
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(r)
			}
			var b strings.Builder
			fmt.Fprintf(&b, "I²C buses   %s\nSPI ports   %s\nGPIO lines  %d\n", orNone(r.I2C), orNone(r.SPI), r.Lines)
			for _, d := range r.Failed {
				fmt.Fprintf(&b, "failed      %s: %s\n", d.Name, d.Reason)
			}
			if m := r.Missing(); m != nil {
				fmt.Fprintf(&b, "missing     %s\n", strings.Join(m, ", "))
			}
			_, err := fmt.Fprint(c.OutOrStdout(), b.String())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
