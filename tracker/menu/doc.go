// Package menu holds the technician's menu on the dealer's keypad.
package menu
