internal import Glibc
internal import Text
internal import Threading

/// The lines of standard input, which are read while others are worked on.
final class ScannedLines: Sendable {
    private struct State {
        var lines: [String] = []
        var isAtEnd = false
    }

    private let state = Locked(State())

    /// The number of bytes of a line beyond which the rest is left out: no code is longer.
    private static let longestLine = 1000
    private static let patience = 60_000

    /// Starts to read.
    init() {
        BackgroundThread.start(as: .interactive) { [state] in
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            func end() {
                let text = String(decoding: line, as: UTF8.self)
                line = []
                state.change { $0.lines.append(text) }
            }
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                for byte in buffer[..<count] {
                    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                        end()
                    } else if line.count < Self.longestLine {
                        line.append(byte)
                    }
                }
            }
            end()
            state.change { $0.isAtEnd = true }
        }
    }

    /// Wakes a waiting `take`, because its condition may be met.
    func wake() { state.change { _ in } }

    /// Returns the lines that have come, and whether there will be more; waits for one, for the end, or for `isMet`.
    func take(or isMet: () -> Bool) -> (lines: [String], isAtEnd: Bool) {
        while !state.wait(milliseconds: Self.patience, until: { !$0.lines.isEmpty || $0.isAtEnd || isMet() }) {}
        return state.withLock { state in
            defer { state.lines = [] }
            return (state.lines, state.isAtEnd)
        }
    }
}
