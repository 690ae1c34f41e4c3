package control

import (
	"context"
	"errors"
	"net/http"

	"github.com/robotd/robotd/resources"
)

// An Author is a robot whose definitions can be changed while it lives. A Robot may be one.
type Author interface {
	// Files lists the files of the present definitions, and what else stands in their folder.
	Files() (*FilesState, error)
	// Definitions returns the files that the present definitions were made from.
	Definitions() (*SetState, error)
	// File returns the text of one file as it is on disk.
	File(path string) (*FileState, error)
	// TryEdit checks all files with an edit and plans the change to them. Nothing changes.
	TryEdit(e Edit) Change
	// ApplyEdit writes an edit and changes to the files, both or neither.
	ApplyEdit(ctx context.Context, e Edit) Change
	// PlanFiles checks the files as they are now and plans the change to them. Nothing changes.
	PlanFiles() Change
	// ReloadFiles changes to the files as they are now.
	ReloadFiles(ctx context.Context) Change
	// Rollback changes back to the definitions before the present ones. The files stay.
	Rollback(ctx context.Context) Change
}

// An Edit is the new text of one file, or its removal.
type Edit struct {
	Path   string `json:"path"`
	Text   string `json:"text,omitempty"`
	Remove bool   `json:"remove,omitempty"` // the file, or the own version of a built-in one
	// Was is the sum of the text that was edited. If the file has another one by now, nothing changes; empty: whatever it has.
	Was string `json:"was,omitempty"`
}

// A Change is what came of a change of the definitions, or would come of it.
type Change struct {
	OK     bool   `json:"ok"`
	Result string `json:"result"`         // planned, applied, unchanged, invalid, refused, failed
	Text   string `json:"text,omitempty"` // what changes
	Error  string `json:"error,omitempty"`
	// Plan lists what becomes of each behavior; none if the files have errors.
	Plan     *Plan                 `json:"plan,omitempty"`
	Findings resources.Diagnostics `json:"findings"`
	Back     int                   `json:"back"`          // how many sets of definitions can be gone back to
	Sum      string                `json:"sum,omitempty"` // of the text that was written
}

// A Plan lists what becomes of each behavior. All lists are sorted.
type Plan struct {
	Added     []string          `json:"added"`
	Changed   []string          `json:"changed"`   // another definition
	Restarted []string          `json:"restarted"` // the same definition; what it rests on is another one
	Untouched []string          `json:"untouched"`
	Removed   []string          `json:"removed"`
	Reasons   map[string]string `json:"reasons"` // what each restarted behavior rests on
	// Boot, Mood and Animations say that the boot configuration, the mood data or the animations are others.
	Boot       bool `json:"boot"`
	Mood       bool `json:"mood"`
	Animations bool `json:"animations"`
	// Reactions says that the map of reactions is another one.
	Reactions bool `json:"reactions"`
	// Intents says that what a cloud or an app sends is translated in another way.
	Intents bool `json:"intents"`
}

// FilesState lists files.
type FilesState struct {
	Files []FileState `json:"files"`
	// Folder is where edits are written; empty: nowhere.
	Folder string `json:"folder"`
	Back   int    `json:"back"`
}

// A SetState is a set of definitions.
type SetState struct {
	Number uint64            `json:"number"` // 0 is the set of the start
	Files  map[string]string `json:"files"`  // text by path
}

// A FileState is one file of the definitions.
type FileState struct {
	Path  string `json:"path"`
	From  string `json:"from"`            // built-in, folder, or edited: an own version of a built-in file, or a file beside them
	Bytes int    `json:"bytes"`           // of its text
	ID    string `json:"id,omitempty"`    // of the behavior that it defines
	Class string `json:"class,omitempty"` // of that behavior
	Text  string `json:"text,omitempty"`  // of one file alone
	Sum   string `json:"sum,omitempty"`   // of that text: what an edit of it was made from
	// Differs says that the present definitions were made from another text, or without the file: it was edited elsewhere, or they were
	// gone back to.
	Differs bool `json:"differs,omitempty"`
}

// errNoAuthor answers a robot whose definitions stay.
var errNoAuthor = errors.New("the definitions of this robot cannot be changed: it is a recording")

// author answers a question about files.
func author[T any](s *Server, names []string, do func(Author, *query) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := readQuery(r, names...)
		a, ok := s.robot.(Author)
		switch {
		case q.err != nil:
			deny(w, http.StatusBadRequest, q.err.Error())
			return
		case !ok:
			deny(w, http.StatusUnprocessableEntity, errNoAuthor.Error())
			return
		}
		wait, end := s.patience(r.Context())
		defer end()
		if err := s.files.enter(wait); err != nil {
			deny(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		v, err := inTurn(s.files, func() (T, error) { return do(a, q) })
		if err != nil {
			reply(w, "", err)
			return
		}
		writeJSON(w, http.StatusOK, v)
	}
}

// inTurn gives the turn back whatever happens.
func inTurn[T any](l *lane, do func() (T, error)) (T, error) {
	defer l.leave()
	return do()
}

func askFiles(a Author, _ *query) (*FilesState, error) { return a.Files() }

func askFile(a Author, q *query) (*FileState, error) {
	if !q.has("path") {
		return nil, Refuse(errors.New("path: missing; /v1/behaviors/files lists them"))
	}
	return a.File(q.text("path"))
}

// change returns the handler of a request that changes the definitions, or tries it. Told says whether the log hears of it.
func change[T any](s *Server, told bool, do func(context.Context, Author, T) Change) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, ok := s.robot.(Author)
		var body T
		switch err := decode(r, &body); {
		case s.stopping.Load():
			deny(w, http.StatusServiceUnavailable, "the robot is stopping")
			return
		case !ok:
			deny(w, http.StatusUnprocessableEntity, errNoAuthor.Error())
			return
		case err != nil:
			deny(w, http.StatusBadRequest, err.Error())
			return
		}
		wait, end := s.patience(r.Context())
		defer end()
		if err := s.files.enter(wait); err != nil {
			deny(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		if s.stopping.Load() { // meanwhile
			s.files.leave()
			deny(w, http.StatusServiceUnavailable, "the robot is stopping")
			return
		}
		c, _ := inTurn(s.files, func() (Change, error) { return do(r.Context(), a, body), nil })
		if c.Findings == nil {
			c.Findings = resources.Diagnostics{}
		}
		var err error
		status := http.StatusOK
		if !c.OK {
			err, status = errors.New(c.Error), http.StatusUnprocessableEntity
		}
		if told {
			s.operator.told(r.URL.Path, c.Text, err)
		}
		writeJSON(w, status, c)
	}
}

func (s *Server) authorTable() []route {
	return []route{
		{http.MethodGet, "/v1/behaviors/files", author(s, nil, askFiles)},
		{http.MethodGet, "/v1/behaviors/set", author(s, nil, func(a Author, _ *query) (*SetState, error) { return a.Definitions() })},
		{http.MethodGet, "/v1/behaviors/file", author(s, []string{"path"}, askFile)},
		{http.MethodPost, "/v1/behaviors/check", change(s, false, func(_ context.Context, a Author, e Edit) Change { return a.TryEdit(e) })},
		{http.MethodPost, "/v1/behaviors/plan", change(s, false, func(_ context.Context, a Author, _ nothing) Change { return a.PlanFiles() })},
		{http.MethodPost, "/v1/behaviors/apply", change(s, true, func(ctx context.Context, a Author, e Edit) Change { return a.ApplyEdit(ctx, e) })},
		{http.MethodPost, "/v1/behaviors/reload", change(s, true, func(ctx context.Context, a Author, _ nothing) Change { return a.ReloadFiles(ctx) })},
		{http.MethodPost, "/v1/behaviors/rollback", change(s, true, func(ctx context.Context, a Author, _ nothing) Change { return a.Rollback(ctx) })},
	}
}
