import Foundation
import Testing

@testable import NcursesTerminal

/// The whole terminal with random screens, in an emulator that knows pictures.
@Suite("Terminal: screens with pictures", .serialized) struct PictureScreensTests {
    /// What the terminal knows about itself, or answers.
    enum Kind: String, CaseIterable {
        case cells, placeholders, kitty, sixel, none
        case answersPlaceholders, answersKitty, answersSixel, inTmux

        var form: String { rawValue.hasPrefix("answers") ? "ask" : self == .inTmux ? "ask" : rawValue }

        var answer: String? {
            switch self {
            case .answersPlaceholders:
                "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.32.1)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"
            case .answersKitty: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"
            case .answersSixel: "\u{1B}P>|foot(1.13.1)\u{1B}\\\u{1B}[6;20;10t\u{1B}[4;200;300t\u{1B}[?62;4;22c"
            case .cells, .placeholders, .kitty, .sixel, .none, .inTmux: nil
            }
        }
    }

    @Test("After any sequence of screens the terminal shows what a fresh drawing shows", arguments: Kind.allCases)
    func randomScreens(kind: Kind) throws {
        let count = Int(ProcessInfo.processInfo.environment["STACKS_PICTURE_SCREENS"] ?? "") ?? 60
        let run = try ProbeRun(kind, seed: UInt64(Kind.allCases.firstIndex(of: kind) ?? 0) + 1, count: count)
        var screen = EmulatedScreen(rows: 10, columns: 30)
        var rest = run.output[...]
        var lines = run.expectations.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var count2 = 0
        while true {
            let copyCount = screen.copies.count
            rest = screen.feed(rest)
            guard screen.copies.count > copyCount, let copy = screen.copies.last else { break }
            if copy.hasPrefix("resize ") {
                let numbers = copy.split(separator: " ").compactMap { Int($0) }
                screen.resize(rows: numbers[0], columns: numbers[1])
                continue
            }
            count2 += 1
            let size = lines.removeFirst().split(separator: " ").compactMap { Int($0) }
            #expect([screen.rows, screen.columns] == size)
            let rows = lines.prefix(size[0])
            lines = lines.dropFirst(size[0])
            let wrong = Self.differences(of: screen, from: Array(rows))
            #expect(wrong.isEmpty && screen.defects.isEmpty, "screen \(count2): \(wrong.prefix(3)) \(screen.defects)")
            if !wrong.isEmpty || !screen.defects.isEmpty { return }
        }
        #expect(count2 > 4 * count && lines.count <= 1)
        #expect(rest.isEmpty && screen.pictures.isEmpty && screen.virtual.isEmpty)
    }

    /// Returns descriptions of the cells that are not as expected.
    private static func differences(of screen: EmulatedScreen, from rows: [Substring]) -> [String] {
        var wrong: [String] = []
        for (row, line) in rows.enumerated() {
            let tokens = line.split(separator: "\u{1}", omittingEmptySubsequences: false)
            for (column, token) in tokens.enumerated() {
                let shown = description(of: screen, row, column, like: token.first)
                if shown != token { wrong.append("\(row) \(column): “\(shown)” instead of “\(token)”") }
            }
        }
        return wrong
    }

    /// Returns what the emulator shows in a cell, in the form of the expected text.
    private static func description(
        of screen: EmulatedScreen, _ row: Int, _ column: Int, like kind: Character?
    ) -> String {
        let cell = screen.cells[row][column]
        if let part = screen.part(over: row, column) {
            let isBlank = [" ", "\u{A0}"].contains(cell.text)
            return (isBlank ? "o" : "over \(cell.text) ") + "\(part.serial) \(part.row) \(part.column)"
        }
        let scalars = Array(cell.text.unicodeScalars)
        if scalars.count == 3, scalars[0] == KittyGraphics.placeholder {
            let marks = scalars.dropFirst().map { KittyDiacritics.all.firstIndex(of: $0) ?? -1 }
            let id = cell.foreground ?? 0
            return "p\(screen.virtual.contains(id) ? screen.serial(of: id) : -1) \(marks[0]) \(marks[1])"
        }
        if kind == "h" {
            let foreground = cell.text == " " ? "-" : "\(cell.foreground ?? -1)"
            let background = cell.text == "█" ? "-" : "\(cell.background ?? -1)"
            return "h\(cell.text) \(foreground) \(background)"
        }
        return cell.text.isEmpty ? "" : "t\(cell.text)"
    }
}

/// A run of PictureProbe in a terminal that records its output.
struct ProbeRun {
    let output: [UInt8]
    let expectations: String

    init(_ kind: PictureScreensTests.Kind, seed: UInt64, count: Int) throws {
        let file = NSTemporaryDirectory() + "picture-probe-\(getpid())-\(kind)"
        defer { unlink(file) }
        var environment = ["TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        if kind != .cells { environment["COLORTERM"] = "truecolor" }
        let directory = file + ".bin"
        if kind == .inTmux {
            environment["TMUX"] = "/tmp/none,1,0"
            environment["PATH"] = directory + ":/usr/bin:/bin"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try Data("#!/bin/sh\necho '1 kitty(0.35.2)'\n".utf8).write(to: URL(filePath: directory + "/tmux"))
            chmod(directory + "/tmux", 0o755)
        }
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let program = try #require(Self.program)
        let terminal = try RecordingTerminal(
            [program, file, "\(seed)", "\(count)", kind.form], environment: environment, rows: 10, columns: 30)
        output = terminal.run(answering: kind.answer)
        #expect(terminal.status == 0)
        expectations = try String(contentsOfFile: file, encoding: .utf8)
    }

    /// The program beside the tests.
    private static var program: String? {
        let paths =
            CommandLine.arguments.map { URL(filePath: $0).deletingLastPathComponent() }
            + [Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()]
        return paths.map { $0.appending(path: "PictureProbe").path }.first(where: FileManager.default.isExecutableFile)
    }
}
