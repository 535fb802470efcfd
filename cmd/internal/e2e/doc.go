// Package e2e tries the whole program as a table has it: its processes on an X
// server, keyed by real key events, killed and started again; how long a press takes
// to the lamp and to the pixel; and a record of five years.
//
// There is nothing here to be called. The Makefile says how the long trials are run.
package e2e
