package main

import (
	"debug/elf"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// resolve returns the files of the modules and of all that they depend on, in an order in which they can be loaded.
func resolve(folder string, wanted []string) ([]string, error) {
	files, err := modules(folder)
	if err != nil {
		return nil, err
	}
	var order []string
	var add func(name, by string) error
	add = func(name, by string) error {
		path, ok := files[canonical(name)]
		if !ok {
			return fmt.Errorf("no module %s below %s%s", name, folder, by)
		}
		if slices.Contains(order, path) {
			return nil
		}
		needs, err := depends(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, n := range needs {
			if err := add(n, ", which "+name+" needs"); err != nil {
				return err
			}
		}
		order = append(order, path)
		return nil
	}
	for _, name := range wanted {
		if err := add(name, ""); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// modules lists the module files of a folder by name.
func modules(folder string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(filepath.Base(path), ".ko"); ok {
			files[canonical(name)] = path
		}
		return err
	})
	return files, err
}

// canonical is a module's name with one spelling.
func canonical(name string) string { return strings.ReplaceAll(name, "-", "_") }

// depends reads the names of the modules that a module needs.
func depends(path string) ([]string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	section := f.Section(".modinfo")
	if section == nil {
		return nil, fmt.Errorf("no kernel module: it has no .modinfo")
	}
	info, err := section.Data()
	if err != nil {
		return nil, err
	}
	for _, entry := range strings.Split(string(info), "\x00") {
		if list, ok := strings.CutPrefix(entry, "depends="); ok && list != "" {
			return strings.Split(list, ","), nil
		}
	}
	return nil, nil
}
