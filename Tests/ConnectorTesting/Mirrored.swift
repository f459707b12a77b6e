public import ConnectorProtocol
private import Foundation
public import JSON
private import TestSupport

/// The replies of a session with the connector about a source, and the rows that it copied.
public struct Mirrored {
    /// The recognized source.
    public let opened: OpenedSource
    /// The result.
    public let copy: MirroredCopy
    /// The rows, each a line of JSON.
    public let lines: [String]

    /// The questions for a user and password.
    public let questions: [CredentialQuestion]

    /// The rows as values.
    public var rows: [JSONValue] { lines.compactMap { JSONValue(parsing: $0.utf8) } }

    /// Opens a source and copies it.
    ///
    /// - Parameters:
    ///   - known: The version of the last copy.
    ///   - last: The last copy, if there is one.
    ///   - answers: The answers to questions for a user and password, one after the other.
    ///   - stopsAfter: The number of rows after which the copy is stopped.
    ///   - encoding: The name of the encoding of text; nil to detect it.
    ///   - located: The numbers of the rows whose places are asked for.
    /// - Throws: The `ConnectorFailure` that the session reported, or `WrongCopy`.
    public init(
        source: String, known: SourceVersion? = nil, last: [String] = [],
        answers: [(user: String?, secret: String?)] = [], stopsAfter: Int = .max, encoding: String? = nil,
        locating located: [Int] = []
    ) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/new.jsonl"
        if !last.isEmpty { try directory.write(last.map { $0 + "\n" }.joined().utf8, to: "data.jsonl") }
        let session = try ConfinedSession(cache: directory.path, sources: [source], answers: answers)
        try session.ask(.open(source: source, known: known, encoding: encoding))
        questions = session.questions
        guard case .ended(.opened(let opened))? = session.replies.last else { throw session.failure }
        if opened.isFresh, opened.kind == "unchanged" {
            (self.opened, copy, lines) = (opened, MirroredCopy(rows: 0, bytes: 0, isComplete: true), [])
            return
        }
        try session.ask(.mirror(path: path, locating: located)) {
            session.replies.contains {
                if case .progress(let progress) = $0 { progress.rows >= stopsAfter } else { false }
            }
        }
        guard case .ended(.mirrored(let copy))? = session.replies.last else { throw session.failure }
        self.opened = opened
        self.copy = copy
        let text = try Data(contentsOf: URL(filePath: path))
        lines = text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        // JSON is copied unchanged, even if it is not JSON Lines.
        let isText = opened.kind == "json" && text.first == UInt8(ascii: "[")
        if text.count != copy.bytes || !isText && lines.count != copy.rows { throw WrongCopy() }
    }

    /// Copies a file with this content.
    public init(
        _ content: some Sequence<UInt8>, name: String, encoding: String? = nil, locating located: [Int] = []
    ) throws {
        let directory = try TemporaryDirectory()
        try self.init(source: directory.write(content, to: name), encoding: encoding, locating: located)
    }

    /// Copies a file with this text.
    public init(_ text: String, name: String) throws { try self.init(text.utf8, name: name) }
}

/// A reply is missing, or the copy is not as long as the reply says.
public struct WrongCopy: Error {
    /// Creates the error.
    public init() {}
}
