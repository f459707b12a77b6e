public import ConnectorProtocol
private import Foundation
private import TestSupport

/// A file that a session with the connector exported, in a separate directory.
public final class Exported {
    private let directory: TemporaryDirectory
    /// The path of the file.
    public let path: String
    /// The progress reported before the end of the request.
    public private(set) var progress: [CopyProgress] = []
    /// The number of rows.
    public private(set) var count = 0

    /// The text of the file.
    public var text: String { String(decoding: (try? Data(contentsOf: URL(filePath: path))) ?? Data(), as: UTF8.self) }

    /// Exports rows in a format such as `mods`; `replacing` is an existing database to update.
    ///
    /// - Throws: The `ConnectorFailure` that the session reported.
    public init(
        _ rows: [String], as kind: String, replacing existing: String? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/export.tmp"
        let source = try directory.write(rows.map { $0 + "\n" }.joined().utf8, to: "rows.jsonl")
        let session = try ConfinedSession(cache: directory.path, sources: [existing].compactMap(\.self))
        try session.ask(
            .export(kind: kind, from: source, to: path, replacing: existing), isCancelled: isCancelled)
        for reply in session.replies {
            switch reply {
            case .progress(let part): progress.append(part)
            case .ended(.exported(let rows)): count = rows
            case .failed(let failure): throw failure
            default: throw WrongCopy()
            }
        }
    }
}
