internal import TerminalUI

/// How fast the terminal takes output, measured by frames for which it made the program wait.
struct OutputSpeed {
    /// What the speed allows.
    enum Level: Int, Comparable {
        case nothing, cells, everything

        static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
    }

    /// Smaller amounts say nothing: the terminal may be busy with something else, in bytes.
    private static let smallest = 8192
    /// A longer pause without any progress means that the terminal or the program was stopped, in milliseconds.
    private static let longestPause = 3000
    /// Below these speeds there are only half blocks, or no pictures, in bytes a second.
    private static let limits = (everything: 200_000, cells: 20_000)
    /// The time after which a slow terminal gets another chance, in milliseconds.
    private static let timeToRecover = 300_000

    /// What the speed allows now.
    private(set) var level = Level.everything
    /// What the frame before allowed, if the terminal made the program wait for it.
    private var former: Level?
    private var timeOfMeasurement = 0

    /// A measurement of one frame.
    struct Frame {
        private let start: Int
        private var last: Int
        private var byteCount = 0
        private var wasStopped = false

        /// Begins at the time at which the terminal first made the program wait.
        init(at time: Int) { (start, last) = (time, time) }

        /// Notes that the terminal took this many bytes.
        mutating func add(_ count: Int, at time: Int) {
            if time - last > OutputSpeed.longestPause { wasStopped = true }
            last = time
            byteCount += count
        }

        /// The speed in bytes a second; nil if it says nothing.
        fileprivate var speed: Int? {
            wasStopped || byteCount < OutputSpeed.smallest ? nil : byteCount * 1000 / max(1, last - start)
        }
    }

    /// Takes the measurement of a frame. Only two slow frames in a row count: the user may stop the terminal in one.
    mutating func take(_ frame: Frame, at time: Int) {
        guard let speed = frame.speed else { return }
        let allowed: Level =
            speed < Self.limits.cells ? .nothing : speed < Self.limits.everything ? .cells : .everything
        if let former, case let allowed = max(allowed, former), allowed < level { level = allowed }
        if allowed != .everything { timeOfMeasurement = time }
        former = allowed
    }

    /// Forgets slow frames of long ago.
    mutating func recover(at time: Int) {
        if level != .everything, time - timeOfMeasurement > Self.timeToRecover { self = OutputSpeed() }
    }

    /// Returns the form of pictures that the speed allows.
    func allowed(_ form: PictureSupport.Form) -> PictureSupport.Form {
        switch level {
        case .everything: form
        case .cells: form == .none ? .none : .cells
        case .nothing: .none
        }
    }
}
