// Package paint turns a scene into pixels without a window or a GPU.
//
// Each op becomes pieces: small coverage masks and plain rectangles at whole
// pixel positions, each with a colour. Frame lays the pieces into an image;
// the window lays the very same pieces with the GPU. A caller may therefore
// assume that a PNG from here shows what the window shows.
//
// Masks are kept and used again: the second frame of a board costs little more
// than copying. A Painter belongs to one goroutine; the masks it hands out are
// never changed and may be kept.
package paint
