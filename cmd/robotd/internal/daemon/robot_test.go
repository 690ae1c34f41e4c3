package daemon

import (
	"errors"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

// A name that nothing has is refused with the nearest one before any tick hears of it.
func TestUnknownNamesCostNoTick(t *testing.T) {
	r := &robot{sets: sets.NewStore(sets.Options{First: sets.Set{Catalog: setuptest.Catalog(t)}})} // without actors that could be asked
	_, behavior := r.RunBehavior(t.Context(), "Wayt", 1)
	_, intent := r.Intent(t.Context(), "come_her", nil)
	for err, want := range map[error]string{
		behavior: `there is no behavior "Wayt"; did you mean "Wait"?`,
		intent:   `there is no intent "come_her"; did you mean "come_here"?`,
	} {
		if !errors.Is(err, control.ErrRefused) || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
