import Testing

/// A key of a command with the keys typed before it and the expected screen.
struct KeyExample: CustomTestStringConvertible, Sendable {
    /// The catalog to open.
    enum Catalog: Sendable {
        /// `Novels`.
        case novels
        /// "Book 001" to "Book 300".
        case numbered
    }

    /// A terminal window that runs stacks.
    struct Stage {
        let sandbox: Sandbox
        let terminal: Tmux
        let catalog: String
    }

    /// The evidence that the command was executed.
    enum Proof: Sendable {
        /// The screen shows all of this, and did not before.
        case sees([Sight])
        /// A closure that types the key and checks more than the screen.
        case plays(@Sendable (_ stage: Stage, _ key: String) throws -> Void)
    }

    /// The name of the command in the config file.
    let command: String
    /// The key as named in the key table.
    let key: String
    let before: [String]
    let start: [Sight]
    let rest: [String]
    let catalog: Catalog
    let size: (columns: Int, rows: Int)
    let proof: Proof

    var testDescription: String { "\(command): \(before.joined(separator: " ")) \(key)" }

    /// Types the key in a new window, and checks the result.
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
    /// Returns the examples of a command, one for each of `keys`.
    ///
    /// - Parameters:
    ///   - before: The keys typed before.
    ///   - start: The screen after these keys.
    ///   - rest: The keys typed afterwards.
    static func of(
        _ command: String, _ keys: [String], after before: [String] = [], from start: Sight...,
        then rest: [String] = [],
        on catalog: KeyExample.Catalog = .novels, columns: Int = 120, rows: Int = 24, sees sights: Sight...
    ) -> [KeyExample] {
        keys.map {
            KeyExample(
                command: command, key: $0, before: before, start: start, rest: rest, catalog: catalog,
                size: (columns, rows), proof: .sees(sights))
        }
    }

    /// Returns examples that check more than the screen.
    static func of(
        _ command: String, _ keys: [String], after before: [String] = [], from start: Sight...,
        plays play: @escaping @Sendable (_ stage: KeyExample.Stage, _ key: String) throws -> Void
    ) -> [KeyExample] {
        keys.map {
            KeyExample(
                command: command, key: $0, before: before, start: start, rest: [], catalog: .novels,
                size: (120, 24), proof: .plays(play))
        }
    }
}
