package results

import "achilles/sim/store"

// Write calls f with the results directory dir, which it makes if it does not exist. It locks the directory against
// other processes while f runs. The error wraps store.ErrBusy if another process has the lock.
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
