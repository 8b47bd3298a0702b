package process

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// system lists what every confined program may read and execute, as far as it is there: programs and libraries, their settings,
// and what the kernel says of the machine. Other processes below /proc are not in it.
var system = []string{
	"/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc", "/nix/store", "/gnu/store", "/run/current-system",
	"/sys/devices/system", "/sys/kernel/mm", "/sys/fs/cgroup",
	"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/uptime", "/proc/version", "/proc/filesystems", "/proc/sys",
}

// devices are the devices that every confined program may read and write.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// What may be done with files: reading and executing, and everything else that the versions of Landlock know of.
const (
	look   = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	change = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
	since2 = unix.LANDLOCK_ACCESS_FS_REFER
	since3 = unix.LANDLOCK_ACCESS_FS_TRUNCATE
	ofFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | since3 // the rest is of directories
)

// confine confines this thread for ever, and what it executes, to an order: Landlock limits files, and the processes that it may
// look into or signal; a filter of system calls limits sockets; and it has no privileges. The caller must execute the program on
// this goroutine.
func confine(o *order) error {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("new privileges cannot be forbidden: %w", err)
	}
	if err := limitFiles(o); err != nil {
		return err
	}
	if err := limitCalls(o.Network); err != nil {
		return err
	}
	var none [2]unix.CapUserData
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return fmt.Errorf("privileges cannot be given up: %w", err)
	}
	return nil
}

// limitFiles limits this thread by Landlock (docs.kernel.org/userspace-api/landlock.html).
func limitFiles(o *order) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errors.New("the kernel has no Landlock, or it is switched off")
	}
	all := unix.LandlockRulesetAttr{Handled_access_fs: look | change}
	if version >= 2 {
		all.Handled_access_fs |= since2
	}
	if version >= 3 {
		all.Handled_access_fs |= since3
	}
	size := unsafe.Sizeof(all.Handled_access_fs) // that of the first version
	if version >= 6 {
		all.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size = unsafe.Offsetof(all.Scoped) + unsafe.Sizeof(all.Scoped)
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&all)), size, 0)
	if errno != 0 {
		return fmt.Errorf("the rules of Landlock: %w", errno)
	}
	defer unix.Close(int(rules))
	give := func(path string, access uint64, needed bool) error {
		err := addRule(int(rules), path, access&all.Handled_access_fs)
		if errors.Is(err, os.ErrNotExist) && !needed {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s cannot be allowed: %w", path, err)
		}
		return nil
	}
	var errs []error
	for _, p := range system {
		errs = append(errs, give(p, look, false))
	}
	for _, p := range devices {
		errs = append(errs, give(p, unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|since3, false))
	}
	for _, p := range o.Files {
		errs = append(errs, give(p, look, true))
	}
	for _, p := range o.Own {
		errs = append(errs, give(p, all.Handled_access_fs, true))
	}
	if o.Dir != "" {
		errs = append(errs, give(o.Dir, all.Handled_access_fs, true))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return fmt.Errorf("the rules of Landlock: %w", errno)
	}
	return nil
}

// addRule gives access to a file, or to a directory and all below it. A device may be written to.
func addRule(rules int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	switch info.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
	case unix.S_IFCHR:
		access = access&ofFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	default:
		access &= ofFile
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
