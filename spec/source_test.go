package spec

import (
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The specs about the code itself read its files: what the go command tells
// of packages may come out of a cache that knows nothing of a new file.

const (
	module   = "github.com/cmdx-go/cmdx"
	checkout = ".." // specs run in their own folder
)

// goFolders lists the folders of the root module that hold production files,
// relative to the checkout, "." for the root. Modules of their own are left
// out.
func goFolders() ([]string, error) {
	var folders []string
	err := filepath.WalkDir(checkout, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if at != checkout {
			name := entry.Name()
			if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		files, err := productionFiles(at)
		if err != nil || len(files) == 0 {
			return err
		}
		relative, err := filepath.Rel(checkout, at)
		folders = append(folders, filepath.ToSlash(relative))
		return err
	})
	return folders, err
}

// productionFiles lists the Go files of a folder that are no tests.
func productionFiles(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }), err
}

// documentation reads the documentation of a folder's package as go doc
// shows it; nil when the folder holds no Go file for this system.
func documentation(folder, importPath string) (*doc.Package, *token.FileSet, error) {
	names, err := productionFiles(folder)
	if err != nil {
		return nil, nil, err
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if fits, err := build.Default.MatchFile(filepath.Split(name)); err != nil || !fits {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, set, nil
	}
	documented, err := doc.NewFromFiles(set, files, importPath)
	return documented, set, err
}

// importPathOf is the import path of a folder relative to the checkout.
func importPathOf(folder string) string { return path.Join(module, folder) }

// folderOf is the folder of an import path relative to the checkout, if it
// lies in the module.
func folderOf(importPath string) (folder string, ours bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}
