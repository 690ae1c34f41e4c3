package record

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
)

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

// packTree returns a zip of a tree.
func packTree(tree fs.FS) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := walk(tree, func(name string, content []byte) error {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
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
