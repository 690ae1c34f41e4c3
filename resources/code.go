package resources

// Codes of the diagnostics of this package (data/1.11a). Packages above add their own.
const (
	CodeSyntax       = "json-syntax"         // not JSON with comments; the file is not read
	CodeEmpty        = "json-empty"          // nothing in the file, or {}: info
	CodeDepth        = "json-depth"          // nested deeper than MaxDepth
	CodeComma        = "json-trailing-comma" // comma before a closing bracket
	CodeTrailing     = "json-trailing-data"  // something after the closing brace of the file
	CodeKeyDuplicate = "key-duplicate"       // same key twice in one object
	CodeKeyUnknown   = "key-unknown"         // a key that no reader asked for
	CodeKeyRequired  = "key-required"        // a required key is absent
	CodeKeyType      = "key-type"            // value of another JSON type
	CodeKeyRange     = "key-range"           // value outside its limits
	CodeEnumUnknown  = "enum-unknown"        // text that is none of the allowed words

	CodeFileUnreadable = "file-unreadable"   // cannot be opened, read, or is no regular file
	CodeFileSize       = "file-size"         // larger than MaxFileBytes
	CodeFileLimit      = "file-limit"        // more than MaxFiles files
	CodeFileIgnored    = "file-ignored"      // looks like data but is not read: warning
	CodeDirMissing     = "dir-missing"       // no such directory
	CodeDirEmpty       = "dir-empty"         // no *.json file in it: warning
	CodeTooMany        = "diagnostics-limit" // more than MaxDiagnostics findings
)

const (
	// MaxFileBytes bounds one file. The largest known instance file has 12 kB; 1 MiB still parses in milliseconds.
	MaxFileBytes = 1 << 20

	// MaxDepth bounds nesting. Known files need 9; 64 keeps every recursion over a document shallow.
	MaxDepth = 64

	// MaxFiles bounds one directory tree, as the catalog holds at most 4,096 behaviors.
	MaxFiles = 4096

	// MaxDiagnostics bounds the findings kept of one document, and those kept of a whole tree. No reader needs more, and
	// files of nonsense must not cost memory and seconds. Beyond the limit findings are only counted, and one of code
	// CodeTooMany gives their number.
	MaxDiagnostics = 1000
)
