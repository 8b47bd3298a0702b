package results

import "achilles/sim/store"

// Write does f, which writes into a results directory, while no other process does, and makes the directory where it is
// not there. The error wraps store.ErrBusy where another process writes there.
func Write(dir string, f func(d *Dir) error) error {
	l, err := store.LockDir(dir)
	if err != nil {
		return err
	}
	defer l.Release()
	d, err := Make(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return f(d)
}
