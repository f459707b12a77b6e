public import ConnectorProtocol

/// How fast a source comes over the network.
public struct TransferRate: Hashable, Sendable {
    /// The bytes that have come in a second, on average.
    public let bytesPerSecond: Int
    /// The seconds until all of it is there, if its size is known.
    public let secondsLeft: Int?

    /// Computes the rate of a copy that has come so far in this time; fails in the first second, and if the source is not
    /// on a server.
    init?(of progress: CopyProgress, afterMilliseconds time: Int) {
        guard let received = progress.received, received > 0, time >= 1000 else { return nil }
        bytesPerSecond = received * 1000 / time
        secondsLeft = progress.fraction.flatMap { done in
            done > 0 ? Int((Double(time) / 1000 * (1 - done) / done).rounded(.up)) : nil
        }
    }
}

extension CopyProgress {
    /// The part of the source that is copied, from 0 to 1, if it can be told.
    public var fraction: Double? {
        if let total, total > 0 { return min(1, Double(rows) / Double(total)) }
        guard let received, let size, size > 0 else { return nil }
        return min(1, Double(received) / Double(size))
    }
}
