// Package xclient is the window's second connection to the X server, for what
// a game loop hears too late or not at all.
//
// A loop hears keys only between two frames, as a set: two taps of one key
// within a frame become one, and nobody knows which of two keys came first.
// Here each press and each release arrives when it happens, however long the
// picture takes. And a loop does not learn that the monitor under its full
// screen has another mode now; here the window is laid over it again. Nor does a loop that
// paints only what is new learn that the server has forgotten what it showed;
// here it is told.
//
// A caller may assume that the edges of a key alternate, that a key that
// repeats by itself is one press, and that keys which are down when the window
// loses the keyboard are reported as released. It may not assume anything of
// keys pressed in other windows: those are not heard. A process opens
// one Client.
package xclient
