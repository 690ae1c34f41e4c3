package control

import (
	"bytes"
	"encoding"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3gen"
)

var update = flag.Bool("update", false, "write the golden files")

// referenceFile is the reference of the API: the page at /v1/docs shows it.
const referenceFile = "../../../../resources/web/openapi.json"

// A param is one parameter of a query.
type param struct{ name, kind, doc string }

// An entry is what the reference says of one route beside its types.
type entry struct {
	tag, summary string
	params       []param
	body         any // of a POST; nil: none is read
	answer       any // of a GET, and of a POST that returns something else than an Answer
	refusal      any // nil: only an Answer refuses
	other        any // nil: there is no other form of the answer
	stream       bool
}

// The groups of the reference.
const (
	tagWatch    = "watch"
	tagPast     = "past"
	tagAsk      = "ask"
	tagPerson   = "person"
	tagBreak    = "break"
	tagServices = "services"
	tagHealth   = "health"
	tagDefine   = "define"
)

// TestReferenceIsWhatTheServerHas makes the OpenAPI document from the routes and the Go types with their comments, and compares it with the
// one that is served.
func TestReferenceIsWhatTheServerHas(t *testing.T) {
	text, err := json.MarshalIndent(reference(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	loadReference(t, text)
	if *update {
		if err := os.WriteFile(referenceFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile(referenceFile); err != nil || !bytes.Equal(old, text) {
		t.Errorf("openapi.json is not what the code says (%v); write it with go test ./cmd/robotd/internal/control -run Reference -update", err)
	}
}

// loadReference reads and checks a document.
func loadReference(t *testing.T, text []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err == nil {
		err = doc.Validate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// reference makes the document.
func reference(t *testing.T) *openapi3.T {
	t.Helper()
	schemas := openapi3.Schemas{}
	doc := &openapi3.T{
		OpenAPI: "3.0.3",
		Info: &openapi3.Info{
			Title: "robotd", Version: "1",
			Description: "The control API of a robot, on loopback only. Bodies are JSON objects; an unknown key is refused, with the nearest known one. " +
				"Lengths are millimeters, angles radians, times seconds of the robot's life unless a name says otherwise.",
		},
		Components: &openapi3.Components{Schemas: schemas},
		Paths:      openapi3.NewPaths(),
	}
	for _, r := range append((&Server{}).table(), route{method: http.MethodGet, path: "/healthz"}, route{method: http.MethodGet, path: "/readyz"}) {
		e, ok := entries[r.path]
		if !ok {
			t.Errorf("%s %s has no entry in the reference", r.method, r.path)
			continue
		}
		item := doc.Paths.Value(r.path)
		if item == nil {
			item = &openapi3.PathItem{}
			doc.Paths.Set(r.path, item)
		}
		item.SetOperation(r.method, operation(t, r, e, schemas))
	}
	for path := range entries {
		if doc.Paths.Value(path) == nil {
			t.Errorf("the reference tells of %s, which the server does not have", path)
		}
	}
	describe(t, schemas)
	return doc
}

// operation is one route.
func operation(t *testing.T, r route, e entry, schemas openapi3.Schemas) *openapi3.Operation {
	t.Helper()
	op := &openapi3.Operation{
		Tags: []string{e.tag}, Summary: e.summary, OperationID: strings.ToLower(r.method) + strings.ReplaceAll(strings.TrimPrefix(r.path, "/v1"), "/", "-"),
		Responses: openapi3.NewResponses(),
	}
	for _, p := range e.params {
		schema := &openapi3.Schema{Type: &openapi3.Types{p.kind}}
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: openapi3.NewQueryParameter(p.name).WithDescription(p.doc).WithSchema(schema)})
	}
	answer := e.answer
	if r.method == http.MethodPost {
		if answer == nil {
			answer = Answer{}
		}
		if e.body != nil {
			op.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithJSONSchemaRef(schemaOf(t, e.body, schemas))}
		}
	}
	ok := openapi3.NewResponse().WithDescription("done")
	if e.stream {
		if e.other != nil {
			schemaOf(t, e.other, schemas) // the data of its events
		}
		ok = ok.WithContent(openapi3.NewContentWithSchema(openapi3.NewStringSchema(), []string{"text/event-stream"}))
	} else {
		answers := schemaOf(t, answer, schemas)
		if e.other != nil {
			answers = openapi3.NewSchemaRef("", &openapi3.Schema{OneOf: openapi3.SchemaRefs{answers, schemaOf(t, e.other, schemas)}})
		}
		ok = ok.WithContent(openapi3.NewContentWithJSONSchemaRef(answers))
	}
	op.Responses.Delete("default")
	op.Responses.Set("200", &openapi3.ResponseRef{Value: ok})
	refusal := schemaOf(t, Answer{}, schemas)
	if e.refusal != nil {
		refusal = openapi3.NewSchemaRef("", &openapi3.Schema{OneOf: openapi3.SchemaRefs{refusal, schemaOf(t, e.refusal, schemas)}})
	}
	refused := openapi3.NewResponse().WithDescription("refused, and why").WithContent(openapi3.NewContentWithJSONSchemaRef(refusal))
	op.Responses.Set("default", &openapi3.ResponseRef{Value: refused})
	return op
}

// schemaOf is the schema of a value's type, kept among schemas by the type's name.
func schemaOf(t *testing.T, v any, schemas openapi3.Schemas) *openapi3.SchemaRef {
	t.Helper()
	if reflect.TypeOf(v) == reflect.TypeFor[nothing]() {
		return openapi3.NewObjectSchema().WithoutAdditionalProperties().NewRef()
	}
	s, err := openapi3gen.NewSchemaRefForValue(v, schemas,
		openapi3gen.CreateComponentSchemas(openapi3gen.ExportComponentSchemasOptions{ExportComponentSchemas: true, ExportTopLevelSchema: true}),
		openapi3gen.UseAllExportedFields(), openapi3gen.SchemaCustomizer(plainNumbers))
	if err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	return s
}

// plainNumbers describes raw JSON as any value, numbers that are written as words as text, and says which values may be null.
func plainNumbers(_ string, t reflect.Type, _ reflect.StructTag, s *openapi3.Schema) error {
	if t == reflect.TypeFor[json.RawMessage]() {
		*s = openapi3.Schema{}
	}
	if t.Kind() == reflect.Uint8 && t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		*s = *openapi3.NewStringSchema()
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		s.Nullable = true
	default:
	}
	return nil
}

// describe adds the comments of the Go code to types and fields.
func describe(t *testing.T, schemas openapi3.Schemas) {
	t.Helper()
	types, fields := map[string]string{}, map[string]string{}
	for _, dir := range []string{".", "../../../../hardware", "../../../../metrics/record"} {
		read(t, dir, types, fields)
	}
	for name, s := range schemas {
		if s.Value == nil {
			continue
		}
		s.Value.Description = types[name]
		for key, p := range s.Value.Properties {
			text := fields[name+"."+key]
			switch {
			case text == "":
			case p.Ref != "":
				s.Value.Properties[key] = &openapi3.SchemaRef{Value: &openapi3.Schema{AllOf: openapi3.SchemaRefs{p}, Description: text}}
			default:
				p.Value.Description = text
			}
		}
	}
}

var jsonName = regexp.MustCompile(`json:"([^",]*)`)

// read collects the comments of a package's structs: by type, and by type and JSON key.
func read(t *testing.T, dir string, types, fields map[string]string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), dir+"/"+f.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			g, ok := n.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				return true
			}
			for _, spec := range g.Specs {
				if ts := spec.(*ast.TypeSpec); types[ts.Name.Name] == "" {
					types[ts.Name.Name] = oneLine(g.Doc)
					readFields(ts, fields)
				}
			}
			return true
		})
	}
}

func readFields(ts *ast.TypeSpec, fields map[string]string) {
	s, ok := ts.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		text := strings.TrimSpace(oneLine(f.Doc) + " " + oneLine(f.Comment))
		for _, n := range f.Names {
			key := n.Name
			if f.Tag != nil {
				if m := jsonName.FindStringSubmatch(f.Tag.Value); m != nil && m[1] != "" {
					key = m[1]
				}
			}
			fields[ts.Name.Name+"."+key] = text
		}
	}
}

func oneLine(c *ast.CommentGroup) string {
	return strings.Join(strings.Fields(c.Text()), " ")
}

func TestReferenceDescribesEveryPartOfTheState(t *testing.T) {
	missing := []string{}
	for name, s := range reference(t).Components.Schemas {
		if s.Value.Description == "" && strings.HasSuffix(name, "State") {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("types without a comment: %v", missing)
	}
}
