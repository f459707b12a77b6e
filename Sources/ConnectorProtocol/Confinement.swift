internal import JSON

/// What the kernel keeps the connector program from, as far as it can.
public struct Confinement: Hashable, Sendable {
    /// The version of the rules for files, TCP and signals that are in force, as the kernel counts them (landlock(7));
    /// 0 for none. Version 4 is the first with rules for TCP, version 6 the first with rules for signals.
    public var landlock: Int
    /// Whether system calls that the program does not need are forbidden (seccomp(2)).
    public var filtersCalls: Bool

    /// Creates the description of a confinement; none without arguments.
    public init(landlock: Int = 0, filtersCalls: Bool = false) {
        (self.landlock, self.filtersCalls) = (landlock, filtersCalls)
    }

    /// Whether nothing is in force.
    public var isMissing: Bool { landlock == 0 && !filtersCalls }
}

extension Confinement {
    /// Adds the members of this confinement to a message.
    func add(to message: inout ObjectWriter) {
        message.add("landlock", JSONValue(landlock))
        message.add("seccomp", .boolean(filtersCalls))
    }

    /// Parses a confinement from a message; what is missing there is not in force.
    init(in message: JSONValue) {
        self.init(
            landlock: message["landlock"]?.asCount ?? 0, filtersCalls: message["seccomp"]?.boolean ?? false)
    }
}
