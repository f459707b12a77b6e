import ConnectorProtocol
import Foundation
import Indexing
import TestSupport
import Testing

@testable import Catalog
@testable import Remote

/// Catalogs that stay on a made-up server, whose connector program is Tests/Servers/paged.py.
struct PagedServer {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The cache directory.
    var cache: String { directory.path + "/cache" }

    /// The connector program.
    static let program =
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Servers/paged.py"

    /// Opens the catalog of a server that behaves as `query` says.
    func open(_ query: String, program: String = Self.program, openingTime: Int = 10_000) -> PagedCatalog {
        let address = "opensearch+http://fake/books?log=\(directory.path)/log&state=\(directory.path)/down&\(query)"
        let catalog = PagedCatalog(
            at: address, in: MirrorDirectory(of: "fake?\(query)", in: directory.path + "/cache"),
            PagedCatalog.Options(
                program: program, signIn: SignIn { _ in nil }, profile: nil, library: ProfileLibrary(directory: nil),
                openingTime: openingTime, reason: { "\($0.kind): \($0.detail ?? "")" }))
        catalog.open()
        return catalog
    }

    /// Takes the server down, or up again.
    func setDown(_ isDown: Bool) throws {
        let path = directory.path + "/down"
        if isDown {
            _ = try directory.write([], to: "down")
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// The requests that the server received, as lines of JSON, of one kind.
    func requests(_ kind: String) throws -> [String] {
        let text = try String(contentsOfFile: directory.path + "/log", encoding: .utf8)
        return text.split(separator: "\n").map(String.init).filter { $0.contains("\"do\":\"\(kind)\"") }
    }

    /// The first rows of the requested pages, in the order of the requests.
    func requestedRows() throws -> [Int] {
        try requests("page").compactMap { line in
            line.firstRange(of: "\"row\":").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }
    }
}

extension PagedCatalog {
    /// The title in a row once it has arrived, or the state of the row in words.
    func title(atRow row: Int, of rows: (any RowSource)? = nil) -> String {
        let rows = rows ?? all
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            switch rows.id(atRow: row).flatMap({ summary(of: $0) }) {
            case .ready(let summary): return summary.title
            case .failed(let reason): return "failed: \(reason)"
            case .gone: return "gone"
            case .pending:
                if ContinuousClock.now > deadline { return "pending" }
                _ = waitForReply(milliseconds: 100)
            }
        }
    }

    /// Receives until no request is answered for a while.
    func settle(milliseconds: Int = 300) {
        while waitForReply(milliseconds: milliseconds) {}
    }
}
