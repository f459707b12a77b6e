public import ConnectorProtocol

/// The transfer rate of a source over the network.
public struct TransferRate: Hashable, Sendable {
    /// The average number of bytes per second.
    public let bytesPerSecond: Int
    /// The remaining time in seconds, if the size of the source is known; nil if it is longer than a week.
    public let secondsLeft: Int?

    /// The longest remaining time in seconds; a longer one says more about a wrong size than about the source.
    private static let longestEstimate = 7 * 24 * 3600.0

    /// Computes the average rate since the start; fails in the first second, and if the source is not on a server.
    init?(of progress: CopyProgress, afterMilliseconds time: Int) {
        guard let received = progress.received, received > 0, time >= 1000 else { return nil }
        // In two parts, which do not overflow.
        bytesPerSecond = received / time * 1000 + received % time * 1000 / time
        secondsLeft = progress.fraction.flatMap { done in
            let seconds = (Double(time) / 1000 * (1 - done) / done).rounded(.up)
            return done > 0 && seconds <= Self.longestEstimate ? Int(seconds) : nil
        }
    }
}

extension CopyProgress {
    /// The copied fraction of the source, from 0 to 1, if known.
    public var fraction: Double? {
        if let total, total > 0 { return min(1, Double(rows) / Double(total)) }
        guard let received, let size, size > 0 else { return nil }
        return min(1, Double(received) / Double(size))
    }
}
