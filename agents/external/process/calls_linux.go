package process

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// shared are the calls that Landlock does not limit, by which a program could reach others of its user: memory, queues and keys that
// have no file, and a second way to open sockets.
var shared = []uint32{
	unix.SYS_IO_URING_SETUP, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
}

// Where a filter finds what a call is (struct seccomp_data), in bytes.
const (
	callNumber    = 0
	callProcessor = 4
	firstArgument = 16 // its lower half: the processors of processor() are little-endian
)

// otherABI is the first number of the calls that 64-bit programs of amd64 make with 32-bit pointers.
const otherABI = 0x4000_0000

// limitCalls lets the kernel refuse, with EPERM, the shared calls and sockets: all of them, or, with the network, those of other
// families than IPv4 and IPv6. Pairs of sockets remain.
func limitCalls(network bool) error {
	number, ok := processor()
	if !ok {
		return errors.New("system calls of this processor cannot be limited")
	}
	const refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	returns := func(what uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: what}
	}
	test := func(op uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	f := []unix.SockFilter{
		load(callProcessor), test(unix.BPF_JEQ, number, 1, 0), returns(refuse),
		load(callNumber), test(unix.BPF_JGE, otherABI, 0, 1), returns(refuse),
	}
	for _, call := range shared {
		f = append(f, test(unix.BPF_JEQ, call, 0, 1), returns(refuse))
	}
	f = append(f, test(unix.BPF_JEQ, unix.SYS_SOCKET, 1, 0), returns(unix.SECCOMP_RET_ALLOW))
	if network {
		f = append(f, load(firstArgument), test(unix.BPF_JEQ, unix.AF_INET, 1, 0), test(unix.BPF_JEQ, unix.AF_INET6, 0, 1), returns(unix.SECCOMP_RET_ALLOW))
	}
	f = append(f, returns(refuse))
	program := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
	runtime.KeepAlive(f)
	if err != nil {
		return fmt.Errorf("system calls cannot be limited: %w", err)
	}
	return nil
}

// processor returns the number by which the kernel knows this processor. ok is false if it has calls that a filter by number
// misses.
func processor() (number uint32, ok bool) {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64, true
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64, true
	case "riscv64":
		return unix.AUDIT_ARCH_RISCV64, true
	case "loong64":
		return unix.AUDIT_ARCH_LOONGARCH64, true
	}
	return 0, false
}
