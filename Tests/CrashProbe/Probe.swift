internal import Glibc
internal import NcursesTerminal
internal import TerminalUI

@testable import Graphemes

/// Opens the terminal, shows a screen, and crashes in the way named by the argument; the terminal must be restored.
enum Probe {
    static func run() {
        useUTF8Locale()
        guard let terminal = try? NcursesTerminal(theme: .dark) else { exit(64) }
        var canvas = Canvas(size: terminal.size)
        canvas.write("READY", row: 0, column: 0)
        terminal.show(canvas, cursor: Position(row: 0, column: 0), isTyping: false)
        // The key tells the probe that the test has seen the screen.
        _ = terminal.waitForEvents(milliseconds: nil)
        die(CommandLine.arguments.dropFirst().first ?? "")
        terminal.close()
    }

    private static func die(_ way: String) {
        let numbers = CommandLine.arguments.map(\.count)
        switch way {
        case "index": print(numbers[numbers.count])
        case "unwrap":
            // swift-format-ignore: NeverForceUnwrap
            print(numbers.first { $0 < 0 }!)
        case "overflow": print(numbers.reduce(Int.max, +))
        case "fatalError": fatalError("the probe was asked to die")
        case "precondition": precondition(numbers.isEmpty, "the probe was asked to die")
        case "stack": print(descend(numbers.count))
        case "abort": abort()
        default: break
        }
    }

    /// Endless recursion with a stack frame that no optimization removes.
    private static func descend(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { frame in
            frame.initialize(repeating: depth)
            return descend(depth + 1) + frame[depth % 64]
        }
    }
}
