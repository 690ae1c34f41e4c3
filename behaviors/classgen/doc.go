// Package classgen lists the behavior classes of Go packages, so that nobody registers them by hand. A class X is a function XClass without
// parameters that returns a behaviors.Class; it stands in x.go, the class's name in snake case. [Write] reads the files of a package and of
// those below it and writes classes_gen.go with a function classes that returns them all, or says where a convention is broken. It only reads:
// nothing is built or run, so that a list that no longer builds can be written anew.
//
//	scan.go   the files and their functions
//	names.go  names of classes and their files
//	write.go  classes_gen.go
package classgen
