package record

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
)

// maxTree bounds what each file of a recording carries.
const maxTree = 16 << 20

// A Tree is a copy of a resource tree.
type Tree struct {
	fs.FS
	Hash string // of the names and contents of its files
	zip  []byte
}

// NewTree copies the files of a tree that list names; nil is all. They are not compressed, which would take longer than all else of a
// start with hundreds of files.
func NewTree(tree fs.FS, list func(fs.FS) ([]string, error)) (*Tree, error) {
	var b bytes.Buffer
	z, sum := zip.NewWriter(&b), newTreeSum()
	err := walk(tree, list, func(name string, content []byte) error {
		sum.add(name, content)
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err = w.Write(content); err == nil && b.Len() > maxTree {
			err = fmt.Errorf("%s: the resource tree is too large to be attached to a recording: more than %d MiB", name, maxTree>>20)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	return &Tree{r, sum.text(), b.Bytes()}, err
}

// unzip returns the tree of an attachment.
func unzip(content []byte) (*Tree, error) {
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	hash, err := TreeHash(r)
	return &Tree{r, hash, content}, err
}

// TreeHash returns the hash of a resource tree: of the names and contents of its files.
func TreeHash(tree fs.FS) (string, error) {
	sum := newTreeSum()
	err := walk(tree, nil, func(name string, content []byte) error {
		sum.add(name, content)
		return nil
	})
	return sum.text(), err
}

// A treeSum is a hash that grows file by file, in the order of their names.
type treeSum struct{ hash.Hash }

func newTreeSum() treeSum { return treeSum{sha256.New()} }

func (s treeSum) add(name string, content []byte) {
	for _, b := range [][]byte{[]byte(name), content} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(b)))
		s.Write(size[:])
		s.Write(b)
	}
}

func (s treeSum) text() string { return hex.EncodeToString(s.Sum(nil)) }

// walk visits the files that list names, in the order of fs.WalkDir; nil is all regular ones.
func walk(tree fs.FS, list func(fs.FS) ([]string, error), visit func(name string, content []byte) error) error {
	if list == nil {
		list = regular
	}
	names, err := list(tree)
	if err != nil {
		return err
	}
	for _, name := range names {
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if err := visit(name, content); err != nil {
			return err
		}
	}
	return nil
}

func regular(tree fs.FS) (names []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}
