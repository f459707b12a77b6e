public import ConnectorProtocol
private import Connectors
private import Foundation
public import JSON
private import TestSupport

/// What a session with the connector has said of a source, and the rows that it has written.
public struct Mirrored {
    /// What the source was recognized as.
    public let opened: OpenedSource
    /// The result.
    public let copy: MirroredCopy
    /// The rows, each a line of JSON.
    public let lines: [String]

    /// The rows as values.
    public var rows: [JSONValue] { lines.compactMap { JSONValue(parsing: $0.utf8) } }

    /// Opens a source and copies it.
    ///
    /// - Throws: The `ConnectorFailure` that the session reported, or `WrongCopy`.
    public init(source: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/new.jsonl"
        var replies: [ConnectorReply] = []
        let session = ConnectorSession(confines: false) { replies.append($0) }
        session.answer(ConnectorRequest(id: 1, .open(source: source, known: nil)))
        guard case .ended(.opened(let opened))? = replies.last?.content else {
            throw replies.last?.error ?? WrongCopy()
        }
        session.answer(ConnectorRequest(id: 2, .mirror(path: path)))
        guard case .ended(.mirrored(let copy))? = replies.last?.content else {
            throw replies.last?.error ?? WrongCopy()
        }
        self.opened = opened
        self.copy = copy
        let text = try Data(contentsOf: URL(filePath: path))
        lines = text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        if text.count != copy.bytes || lines.count != copy.rows { throw WrongCopy() }
    }

    /// Copies a file with this content.
    public init(_ content: some Sequence<UInt8>, name: String) throws {
        let directory = try TemporaryDirectory()
        try self.init(source: directory.write(content, to: name))
    }

    /// Copies a file with this text.
    public init(_ text: String, name: String) throws { try self.init(text.utf8, name: name) }
}

extension ConnectorReply {
    /// The failure that this reply reports.
    fileprivate var error: (any Error)? { if case .failed(let failure) = content { failure } else { nil } }
}

/// A reply is missing, or the copy is not as long as the reply says.
public struct WrongCopy: Error {}
