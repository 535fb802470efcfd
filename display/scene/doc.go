// Package scene is the picture as data: a list of shapes and positioned text,
// with nothing in it that knows a window, a GPU or a file.
//
// A caller may assume that the same input gives the same ops on every machine,
// that what is measured here is what is painted (text is shaped once, and its
// glyphs are painted where they were placed), and that ops may be compared,
// printed and kept. It may not assume that text fits unless it has asked for
// its ink.
package scene
