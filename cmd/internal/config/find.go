package config

import (
	"errors"
	"io/fs"
	"os"
)

// Paths are where a file is looked for, the first before the second: the boot
// partition, which any computer can write, and the usual place.
func Paths() []string {
	return []string{"/boot/firmware/shoeboard.toml", "/etc/shoeboard/shoeboard.toml"}
}

// Find says which of the paths is in force: the first that is there. Others that
// are there too are not read, and returned so that a person can be told. A path
// that cannot be looked at is in force, so that it is not silently passed over.
func Find(paths []string) (inForce string, passedOver []string) {
	for _, path := range paths {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if inForce == "" {
			inForce = path
		} else {
			passedOver = append(passedOver, path)
		}
	}
	return inForce, passedOver
}
