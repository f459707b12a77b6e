internal import TerminalUI

/// A parser of mouse reports: three numbers and M or m after "ESC [ <" (SGR mode 1006 in xterm's ctlseqs).
struct MouseReport {
    /// The meaning of a byte for a report.
    enum Part {
        case isPart
        /// The byte completes the report; nil means an action that the program does not use.
        case isEnd(Mouse?)
        case isForeign
    }

    /// The upper limit of numbers; no terminal has more columns.
    private static let maximumNumber = 0xFFFF

    private var numbers = [0]

    /// Parses the next byte.
    mutating func take(_ byte: UInt8) -> Part {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            numbers[numbers.count - 1] = min(number, Self.maximumNumber)
        case UInt8(ascii: ";"):
            // A report has three numbers; a fourth one marks it as invalid, so later ones share its slot.
            if numbers.count < 4 { numbers.append(0) } else { numbers[3] = 0 }
        case UInt8(ascii: "M"): return .isEnd(mouse(isReleased: false))
        case UInt8(ascii: "m"): return .isEnd(mouse(isReleased: true))
        default: return .isForeign
        }
        return .isPart
    }

    private func mouse(isReleased: Bool) -> Mouse? {
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0, let action = action(isReleased: isReleased) else {
            return nil
        }
        return Mouse(action, at: Position(row: numbers[2] - 1, column: numbers[1] - 1), time: MonotonicClock.now)
    }

    private func action(isReleased: Bool) -> Mouse.Action? {
        // Ignore the bits of Shift, Meta and Ctrl.
        switch (numbers[0] & ~0b1_1100, isReleased) {
        case (0, false): .press
        case (32, false): .drag
        // Some terminals include the motion bit in a release after a drag.
        case (0, true), (32, true): .release
        case (64, false): .wheel(-1)
        case (65, false): .wheel(1)
        default: nil
        }
    }
}
