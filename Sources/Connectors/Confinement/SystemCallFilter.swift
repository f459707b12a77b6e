internal import CSeccomp
internal import Glibc

/// A filter that makes system calls fail: seccomp(2), by libseccomp.
final class SystemCallFilter {
    /// A condition for an argument of a system call.
    struct Condition {
        private let comparison: scmp_arg_cmp

        /// The argument, counted from 0, is `value`.
        static func equal(_ argument: UInt32, to value: UInt64) -> Condition {
            Condition(comparison: scmp_arg_cmp(arg: argument, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0))
        }

        /// The argument is another number than `value`.
        static func unequal(_ argument: UInt32, to value: UInt64) -> Condition {
            Condition(comparison: scmp_arg_cmp(arg: argument, op: SCMP_CMP_NE, datum_a: value, datum_b: 0))
        }

        /// The argument is `value` at least.
        static func atLeast(_ argument: UInt32, _ value: UInt64) -> Condition {
            Condition(comparison: scmp_arg_cmp(arg: argument, op: SCMP_CMP_GE, datum_a: value, datum_b: 0))
        }

        /// The bits `mask` of the argument are `value`.
        static func bits(_ argument: UInt32, _ mask: UInt64, are value: UInt64) -> Condition {
            Condition(comparison: scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value))
        }

        fileprivate var raw: scmp_arg_cmp { comparison }
    }

    private let filter: scmp_filter_ctx

    /// The rules that libseccomp did not take.
    private(set) var failures: [String] = []

    /// The numbers of system calls that the oldest supported version of libseccomp does not know; they are the same on
    /// all processors that Swift knows.
    private static let newerCalls: [String: Int32] = [
        "fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "open_tree_attr": 467, "file_setattr": 469,
    ]

    /// Creates a filter that allows everything; fails without memory.
    init?() {
        guard let filter = seccomp_init(SCMP_ACT_ALLOW) else { return nil }
        self.filter = filter
        // All threads of the program; a search in halves rather than through all calls; and on older kernels, processors
        // as fast as without a filter.
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1)
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1)
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2)
    }

    deinit { seccomp_release(filter) }

    /// Forbids system calls; those that the processor or the kernel does not have are ignored.
    func forbid(_ names: [String], error: Int32 = EPERM) {
        for name in names { add(name, [], error) }
    }

    /// Forbids a system call if all conditions hold, each for another argument.
    func forbid(_ name: String, if conditions: Condition...) { add(name, conditions, EPERM) }

    private func add(_ name: String, _ conditions: [Condition], _ error: Int32) {
        let known = seccomp_syscall_resolve_name(name)
        guard let number = known == __NR_SCMP_ERROR ? Self.newerCalls[name] : known else { return }
        // SCMP_ACT_ERRNO of seccomp_init(3).
        let action = 0x0005_0000 | UInt32(error)
        if seccomp_rule_add_array(filter, action, number, UInt32(conditions.count), conditions.map(\.raw)) != 0 {
            failures.append(name)
        }
    }

    /// Puts the filter in force, for good and for the programs that this one starts.
    ///
    /// - Returns: Whether it is in force; false if the kernel has no filters.
    func load() -> Bool { seccomp_load(filter) == 0 }
}
