internal import Glibc

/// The system calls that this program does without.
enum SystemCalls {
    /// Forbids what neither copying nor asking servers needs, and if `connects` is not set, all sockets.
    static func forbidUnneeded(_ filter: SystemCallFilter, connects: Bool) {
        filter.forbid(
            otherProcesses + attributes + sharedMemory + mounts + keys + rings + kernel + sessions + hiddenFiles)
        forbidSignals(filter)
        forbidSchedulingOthers(filter)
        forbidTerminals(filter)
        forbidFlagsAndModes(filter)
        forbidNamespaces(filter)
        filter.forbid(["listen", "accept", "accept4"])
        if connects {
            forbidOtherSockets(filter, isUnixNeeded: NameServices.needUnixSockets)
        } else {
            filter.forbid(["socket", "socketpair", "connect", "bind"])
        }
    }

    /// Forbids starting programs and processes.
    static func forbidPrograms(_ filter: SystemCallFilter) {
        filter.forbid(["execve", "execveat", "fork", "vfork", "kill"])
        // A process rather than a thread.
        filter.forbid("clone", if: .bits(0, Number.thread, are: 0))
    }

    /// Numbers of the kernel that Swift does not know, from the headers of Linux.
    private enum Number {
        /// CLONE_THREAD.
        static let thread: UInt64 = 0x0001_0000
        /// CLONE_NEWTIME, CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID and
        /// CLONE_NEWNET.
        static let namespaces: [UInt64] = [
            0x80, 0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
        ]
        /// FS_IOC_SETFLAGS, of 64 and 32 bits, and FS_IOC_FSSETXATTR of ioctl(2).
        static let setFlags: [UInt64] = [0x4008_6602, 0x4004_6602, 0x401C_5820]
        /// F_SETOWN, F_SETSIG and F_SETOWN_EX of fcntl(2).
        static let (setOwner, setSignal, setOwnerThread): (UInt64, UInt64, UInt64) = (8, 10, 15)
        /// FIOSETOWN and SIOCSPGRP of ioctl(2).
        static let (setFileOwner, setSocketOwner): (UInt64, UInt64) = (0x8901, 0x8902)
        /// TIOCSTI, TIOCLINUX and TIOCSCTTY of ioctl_tty(2).
        static let (type, paste, takeTerminal): (UInt64, UInt64, UInt64) = (0x5412, 0x541C, 0x540E)
        /// SOCK_RAW.
        static let rawSocket: UInt64 = 3
        /// NETLINK_ROUTE.
        static let routes: UInt64 = 0
    }

    /// Looking into other processes, or changing them.
    private static let otherProcesses = [
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_open",
        "pidfd_getfd", "pidfd_send_signal", "perf_event_open", "userfaultfd", "bpf", "migrate_pages", "move_pages",
    ]
    /// Changing who may access a file, and when it was changed. fchmod stays, because SQLite needs it.
    private static let attributes = [
        "chmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr", "fsetxattr",
        "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr", "utime", "utimes",
        "futimesat", "utimensat",
    ]
    /// Memory, queues and semaphores that programs share: of System V and of POSIX.
    private static let sharedMemory = [
        "shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop", "semctl",
        "mq_open", "mq_unlink",
    ]
    private static let mounts = [
        "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "open_tree_attr", "fsopen", "fsconfig",
        "fsmount", "fspick", "mount_setattr", "unshare", "setns", "open_by_handle_at", "swapon", "swapoff", "acct",
    ]
    private static let keys = ["keyctl", "add_key", "request_key"]
    /// io_uring makes other calls, which a filter cannot see.
    private static let rings = ["io_uring_setup", "io_uring_enter", "io_uring_register"]
    private static let kernel = [
        "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
    ]
    /// Leaving the session and the group of processes by which stacks ends this program.
    private static let sessions = ["setsid", "setpgid"]
    /// Files without a path, which Landlock does not know.
    private static let hiddenFiles = ["memfd_create", "memfd_secret"]

    private static func forbidSignals(_ filter: SystemCallFilter) {
        filter.forbid(["tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"])
        // abort(3) sends a signal to a thread of this process.
        filter.forbid("tgkill", if: .unequal(0, to: UInt64(getpid())))
        // A converter that does not end is killed.
        filter.forbid("kill", if: .unequal(1, to: UInt64(SIGKILL)))
        // Limits of another process can kill it.
        filter.forbid("prlimit64", if: .unequal(0, to: 0))
        // The kernel signals the owner of a descriptor.
        for command in [Number.setOwner, Number.setSignal, Number.setOwnerThread] { forbid("fcntl", command, filter) }
        for request in [Number.setFileOwner, Number.setSocketOwner] { forbid("ioctl", request, filter) }
    }

    /// Changing how the kernel schedules other processes.
    private static func forbidSchedulingOthers(_ filter: SystemCallFilter) {
        for name in ["sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"] {
            filter.forbid(name, if: .unequal(0, to: 0))
        }
        for name in ["setpriority", "ioprio_set"] { filter.forbid(name, if: .unequal(1, to: 0)) }
    }

    /// Namespaces, in which a program has rights that it does not have outside.
    private static func forbidNamespaces(_ filter: SystemCallFilter) {
        for bit in Number.namespaces { filter.forbid("clone", if: .bits(0, bit, are: bit)) }
        // Its flags are in memory, where a filter cannot see them. The C library then uses clone.
        filter.forbid(["clone3"], error: ENOSYS)
    }

    /// Typing into a terminal, and taking one over.
    private static func forbidTerminals(_ filter: SystemCallFilter) {
        for request in [Number.type, Number.paste, Number.takeTerminal] { forbid("ioctl", request, filter) }
    }

    /// Forbids a call with a command as its second argument, of which the kernel reads 32 bits.
    private static func forbid(_ name: String, _ command: UInt64, _ filter: SystemCallFilter) {
        filter.forbid(name, if: .bits(1, 0xFFFF_FFFF, are: command))
    }

    /// Making a file immutable, giving it to other users, each bit of its mode but the owner's, and taking it from its owner.
    private static func forbidFlagsAndModes(_ filter: SystemCallFilter) {
        for request in Number.setFlags { forbid("ioctl", request, filter) }
        for bit in [0o400, 0o200] as [UInt64] { filter.forbid("fchmod", if: .bits(1, bit, are: 0)) }
        for bit in [0o001, 0o002, 0o004, 0o010, 0o020, 0o040, 0o1000, 0o2000, 0o4000] as [UInt64] {
            filter.forbid("fchmod", if: .bits(1, bit, are: bit))
        }
    }

    /// Sockets that neither servers nor the resolution of names need; netlink lists the addresses of this machine.
    private static func forbidOtherSockets(_ filter: SystemCallFilter, isUnixNeeded: Bool) {
        let families = ([AF_INET, AF_INET6, AF_NETLINK] + (isUnixNeeded ? [AF_UNIX] : [])).map { UInt64($0) }
        let last = families.max() ?? 0
        for family in 0..<last where !families.contains(family) { filter.forbid("socket", if: .equal(0, to: family)) }
        filter.forbid("socket", if: .atLeast(0, last + 1))
        // Packets of any protocol; the low bits of the type are its kind.
        for family in [AF_INET, AF_INET6] {
            filter.forbid("socket", if: .equal(0, to: UInt64(family)), .bits(1, 0xF, are: Number.rawSocket))
        }
        filter.forbid("socket", if: .equal(0, to: UInt64(AF_NETLINK)), .unequal(2, to: Number.routes))
    }
}
