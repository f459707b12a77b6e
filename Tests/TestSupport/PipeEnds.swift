private import Glibc

/// The ends of a pipe that other child processes do not inherit: otherwise, closing an end would not end the input.
public struct PipeEnds: Sendable {
    /// The descriptor for reading.
    public let reading: Int32
    /// The descriptor for writing.
    public let writing: Int32

    /// Creates a pipe.
    ///
    /// - Throws: `ServerFailure` if there are too many open files.
    public init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ServerFailure() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}
