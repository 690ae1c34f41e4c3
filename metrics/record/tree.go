package record

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
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

// NewTree copies the files of a tree that keep approves; nil is all.
func NewTree(tree fs.FS, keep func(name string) bool) (*Tree, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := walk(tree, func(name string, content []byte) error {
		if keep != nil && !keep(name) {
			return nil
		}
		w, err := z.Create(name)
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
	return unzip(b.Bytes())
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
	sum := sha256.New()
	err := walk(tree, func(name string, content []byte) error {
		for _, b := range [][]byte{[]byte(name), content} {
			var size [8]byte
			binary.BigEndian.PutUint64(size[:], uint64(len(b)))
			sum.Write(size[:])
			sum.Write(b)
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// walk visits the regular files of a tree, in the order of their names.
func walk(tree fs.FS, visit func(name string, content []byte) error) error {
	return fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return visit(name, content)
	})
}
