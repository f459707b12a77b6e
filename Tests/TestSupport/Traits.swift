private import Glibc
public import Testing

/// Whether this is the quick run of `make check`.
public let isQuickRun = getenv("STACKS_QUICK") != nil

extension Trait where Self == ConditionTrait {
    /// Leaves a test out of `make check`, because it takes seconds: mostly one that tries random or all possible input.
    public static var thorough: Self { .disabled(if: isQuickRun, "make check leaves it out, because it takes seconds") }

    /// Leaves a test out of `make check`, because it starts a server or needs programs that may not be installed.
    public static var usesServers: Self { .disabled(if: isQuickRun, "make check leaves it out: it starts a server") }
}
