import Browser
import Testing

/// A key of a command, what was typed before it, and what the reader then sees.
struct KeyExample: CustomTestStringConvertible, Sendable {
    /// The catalog that is open.
    enum Catalog: Sendable {
        /// `Novels`.
        case novels
        /// "Book 001" to "Book 300".
        case numbered
    }

    /// A window with stacks in it.
    struct Stage {
        let sandbox: Sandbox
        let terminal: Tmux
        let catalog: String
    }

    /// How one knows that the command was done.
    enum Proof: Sendable {
        /// By the screen, which did not show all of this before.
        case sees([Sight])
        /// By more than the screen: plays the key itself.
        case plays(@Sendable (_ stage: Stage, _ key: String) throws -> Void)
    }

    let command: Command
    /// As the key table has it.
    let key: String
    let before: [String]
    let start: [Sight]
    let rest: [String]
    let catalog: Catalog
    let size: (columns: Int, rows: Int)
    let proof: Proof

    var testDescription: String { "\(command.info.title): \(before.joined(separator: " ")) \(key)" }

    /// Types it in a window of its own, and looks.
    func play() throws {
        let sandbox = try Sandbox()
        let path =
            switch catalog {
            case .novels: try sandbox.write(Novels.catalog, to: "novels.json")
            case .numbered: try sandbox.writeCatalog(books: 300)
            }
        let terminal = try Tmux(in: sandbox, columns: size.columns, rows: size.rows, opening: path)
        try terminal.wait(forPosition: catalog == .novels ? "1/7" : "1/300")
        for key in before { try terminal.press(declared: key) }
        let first = try terminal.wait(for: start.description) { $0.hasAll(start) }
        switch proof {
        case .plays(let play):
            try play(Stage(sandbox: sandbox, terminal: terminal, catalog: path), key)
        case .sees(let sights):
            #expect(!first.hasAll(sights), "\(sights) is seen before the key:\n\(first)")
            for key in [key] + rest { try terminal.press(declared: key) }
            try terminal.wait(for: sights.description) { $0.hasAll(sights) }
        }
    }
}

extension [KeyExample] {
    /// The examples of a command, one for each of `keys`.
    ///
    /// - Parameters:
    ///   - before: What is typed before the key.
    ///   - start: What is then seen.
    ///   - rest: What is typed behind the key.
    static func of(
        _ command: Command, _ keys: [String], after before: [String] = [], from start: Sight...,
        then rest: [String] = [],
        on catalog: KeyExample.Catalog = .novels, columns: Int = 120, rows: Int = 24, sees sights: Sight...
    ) -> [KeyExample] {
        keys.map {
            KeyExample(
                command: command, key: $0, before: before, start: start, rest: rest, catalog: catalog,
                size: (columns, rows), proof: .sees(sights))
        }
    }

    /// The same, where more than the screen has to be looked at.
    static func of(
        _ command: Command, _ keys: [String], after before: [String] = [], from start: Sight...,
        plays play: @escaping @Sendable (_ stage: KeyExample.Stage, _ key: String) throws -> Void
    ) -> [KeyExample] {
        keys.map {
            KeyExample(
                command: command, key: $0, before: before, start: start, rest: [], catalog: .novels,
                size: (120, 24), proof: .plays(play))
        }
    }
}
