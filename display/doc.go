// Package display shows a scene in a window, and hears the keyboard for a demo.
//
// It is a thin shell: pictures come from outside as ops, and what they look
// like is decided in package paint, whose masks are laid here with the GPU. A second
// connection to the X server tells what a game loop does not hear (x11*.go). A
// caller may assume that the window shows what paint.Frame shows, that nothing
// is painted when the ops are the same as before, that a picture announced
// with Refresh is painted in the next frame, that the window keeps to full
// screen, on the monitor of its output if it has one, when monitors come and go,
// that nothing is painted while there is none, and that every key edge arrives, in
// order.
//
// It may not assume that Picture is called once per Refresh: announcements
// that come faster than frames become one. One Screen can run in a process,
// once, on the main goroutine.
package display
