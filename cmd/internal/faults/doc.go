// Package faults tries the real program on a disk that loses what was not synced, and on data
// folders that somebody has damaged.
//
// There is nothing here to be called. "make faults" runs it, for seconds=N each.
package faults
