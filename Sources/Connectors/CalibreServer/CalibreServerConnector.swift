internal import ConnectorProtocol
internal import Glibc
internal import JSON

/// A library on calibre's content server, by the interface that its own web pages use.
///
/// The numbers of all books come in one answer; the books are asked for in batches, several at a time. When there is a
/// copy already, only the books that are new or were changed since are asked for.
final class CalibreServerConnector: Connector {
    private let context: RequestContext
    /// The address of the server, without a slash at its end.
    private let server: String
    /// The name of the library in addresses.
    private let library: String
    let opened: OpenedSource
    private(set) var version = SourceVersion()

    /// The number of books in a batch: addresses with thousands are refused.
    private static let batchSize = 100
    /// How many batches are asked for at a time; the server works on one after the other.
    private static let batchesAtATime = 3
    private static let batchLimit = 1 << 26
    private static let listLimit = 1 << 28
    private static let attempts = 3

    /// Opens a library of the server at `url`: the one that "library_id" names there, otherwise the default one.
    ///
    /// - Returns: The library; nil if the server is not one of calibre.
    static func connector(
        at url: String, _ context: RequestContext
    ) throws(ConnectorFailure) -> CalibreServerConnector? {
        let path = url.prefix { $0 != "?" }
        let server = path.hasSuffix("/") ? String(path.dropLast()) : String(path)
        let document: [UInt8]
        do throws(ConnectorFailure) {
            (_, document) = try context.http.fetch(HTTPRequest(url: server + "/ajax/library-info"), limit: 1 << 20)
        } catch {
            if error.kind == .server { return nil }
            throw error
        }
        guard let info = JSONValue(parsing: document), let libraries = info["library_map"]?.members,
            let standard = info["default_library"]?.string
        else { return nil }
        let wanted = query("library_id", in: url)
        let name = wanted ?? standard
        guard libraries.contains(where: { $0.key == name }) else {
            throw ConnectorFailure(.format, .noLibrary, detail: name)
        }
        return CalibreServerConnector(
            context, server: server, library: name,
            libraries: libraries.map(\.key).sorted { ($0 == name ? 0 : 1, $0) < ($1 == name ? 0 : 1, $1) },
            isChosen: wanted != nil)
    }

    /// Opens a library; `isChosen` says whether its name was given, so that the others need not be named.
    private init(
        _ context: RequestContext, server: String, library: String, libraries: [String], isChosen: Bool
    ) {
        (self.context, self.server, self.library) = (context, server, WebAddress.escaped(library))
        opened = OpenedSource(
            kind: "calibre-server", profile: "calibre", table: library,
            tables: libraries.map { OpenedSource.Table(name: $0, columns: []) },
            alternatives: isChosen ? [] : Array(libraries.dropFirst()))
    }

    private static func query(_ name: String, in url: String) -> String? {
        guard let mark = url.firstIndex(of: "?") else { return nil }
        let pairs = url[url.index(after: mark)...].split(separator: "&")
        return pairs.first { $0.hasPrefix(name + "=") }.map { percentDecoded($0.dropFirst(name.count + 1)) }
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        // That of the web page says nothing of the books.
        context.transferred = (0, nil)
        // The server knows days only, of its own time zone.
        let start = Self.dayBeforeNow
        let ids = try ids(matching: nil)
        rows.total = ids.count
        var kept = KeptRows()
        if let since = context.known?.modified {
            kept = KeptRows(ofFileAt: context.scratch + "/data.jsonl")
            kept.remove(try self.ids(matching: "last_modified:>=\(since)"))
        }
        let isWhole = try copy(ids, keeping: kept, to: rows)
        version = SourceVersion(modified: start)
        return isWhole
    }

    /// The day before today, such as "2026-11-23".
    private static var dayBeforeNow: String {
        var seconds = time(nil) - 24 * 3600
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    }

    /// Returns the numbers of the books that a search of calibre's finds, in ascending order.
    private func ids(matching query: String?) throws(ConnectorFailure) -> [Int] {
        let search = query.map { "&query=" + WebAddress.escaped($0) } ?? ""
        let address = "\(server)/ajax/search/\(library)?num=100000000&sort=id&sort_order=asc\(search)"
        let answer = try fetch(address, limit: Self.listLimit)
        guard let ids = answer["book_ids"]?.elements else {
            throw ConnectorFailure(.server, .notHTTP, detail: "calibre")
        }
        return ids.compactMap(\.integer).sorted()
    }

    /// Asks for a document, again if that fails in a way that may pass.
    private func fetch(_ address: String, limit: Int) throws(ConnectorFailure) -> JSONValue {
        var attempt = 0
        while true {
            do throws(ConnectorFailure) {
                let (_, document) = try context.http.fetch(HTTPRequest(url: address), limit: limit)
                guard let value = JSONValue(parsing: document) else {
                    throw ConnectorFailure(.server, .notHTTP, detail: "calibre")
                }
                return value
            } catch {
                attempt += 1
                let mayPass = error.kind == .offline || error.kind == .busy || error.kind == .server
                guard mayPass, attempt < Self.attempts, (error.retryAfter ?? 0) < 30 else { throw error }
                try context.wait(milliseconds: max(500 * attempt, (error.retryAfter ?? 0) * 1000))
            }
        }
    }

    /// Writes the books of these numbers, those that are `kept` as they are.
    ///
    /// - Returns: Whether the server had all of them, or they were deleted meanwhile.
    private func copy(_ ids: [Int], keeping kept: KeptRows, to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let wanted = ids.filter { !kept.contains($0) }
        var batches = stride(from: 0, to: wanted.count, by: Self.batchSize).map {
            Array(wanted[$0..<min($0 + Self.batchSize, wanted.count)])
        }[...]
        var running: [(ids: [Int], transfer: HTTPTransfer)] = []
        var hydrated: [Int: [UInt8]] = [:]
        func ask() throws(ConnectorFailure) {
            while running.count < Self.batchesAtATime, let batch = batches.popFirst() {
                running.append((batch, try context.http.start(HTTPRequest(url: address(of: batch)))))
            }
            // The server works on them while this program reads what it has sent.
            context.http.advance()
        }
        for id in ids {
            if try kept.write(id, to: rows) { continue }
            if hydrated[id] == nil, !wanted.isEmpty {
                try ask()
                let next = running.removeFirst()
                let answer = try answer(to: next.ids, from: next.transfer)
                try ask()
                hydrated = books(next.ids, in: answer)
            }
            // A book that is deleted meanwhile is null.
            if let book = hydrated.removeValue(forKey: id) { try rows.add { $0 += book } }
        }
        return true
    }

    private func address(of ids: [Int]) -> String {
        "\(server)/ajax/books/\(library)?category_urls=false&ids="
            + ids.map(String.init).joined(separator: ",")
    }

    /// Waits for the answer to a batch, which is asked for again if it fails.
    private func answer(to ids: [Int], from transfer: HTTPTransfer) throws(ConnectorFailure) -> JSONValue {
        do throws(ConnectorFailure) {
            if let answer = JSONValue(parsing: try context.http.finish(transfer, limit: Self.batchLimit)) {
                return answer
            }
        } catch {
            if error.kind == .cancelled { throw error }
        }
        return try fetch(address(of: ids), limit: Self.batchLimit)
    }

    /// Returns the records of a batch by their numbers.
    private func books(_ ids: [Int], in found: JSONValue) -> [Int: [UInt8]] {
        var books: [Int: [UInt8]] = [:]
        for id in ids {
            if let book = found["\(id)"], book.members != nil {
                books[id] = CalibreServerBook(book, id: id, server: server).json
            }
        }
        return books
    }
}
