package datadir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// BallastSize keeps room on the medium for 20,000 hands, of which each takes some 450 bytes in
// the record where bets are opened and closed by keys, with the checkpoints of 250 shoes.
const BallastSize = 16 << 20

func ballast(data string) string { return filepath.Join(data, "ballast") }

// KeepBallast makes the ballast of a data folder where there is none and twice the room.
func KeepBallast(data string) error {
	if _, err := os.Lstat(ballast(data)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var s unix.Statfs_t
	if err := unix.Statfs(data, &s); err != nil || int64(s.Bavail)*int64(s.Bsize) < 2*BallastSize {
		return err
	}
	temp := ballast(data) + ".tmp"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, BallastSize)) // fallocate would not do on every file system
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, ballast(data))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// DropBallast makes room on a full medium, once.
func DropBallast(data string) error {
	err := os.Remove(ballast(data))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
