internal import ConnectorProtocol
internal import Glibc

/// Finds the connector for a source by its content.
enum SourceDetection {
    /// The kinds of sources that can be opened.
    static let kinds = [
        "json", "csv", "tsv", "sqlite", "calibre", "marc", "marcxml", "mods", "opds", "bibtex", "biblatex", "ris",
        "endnote", "endnote-xml", "isi", "calibre-server", "clickhouse", "sru", "z3950", "xsearch",
        "openlibrary", "opensearch", "solr",
    ]

    /// Opens a source for the request of `context`.
    static func connector(for source: String, _ context: RequestContext) throws(ConnectorFailure) -> any Connector {
        if let colon = source.firstRange(of: "://") {
            let scheme = source[..<colon.lowerBound].lowercased()
            guard scheme == "http" || scheme == "https" else {
                throw ConnectorFailure(.unsupported, detail: String(source[..<colon.lowerBound]))
            }
            return try remoteConnector(for: source, context)
        }
        let (path, table, joins) = try parts(of: source)
        guard let state = FileState(path: path) else { throw .cannotRead(path) }
        if state.isDirectory {
            let database = path + "/metadata.db"
            guard access(database, F_OK) == 0 else {
                throw ConnectorFailure(.format, .unknownFormat, subject: path, detail: "directory")
            }
            return CalibreConnector(
                try DatabaseFile(path: database, scratch: context.scratch, limit: context.limit), directory: path)
        }
        guard state.isRegular else {
            throw ConnectorFailure(.unsupported, .notAFile, subject: path)
        }
        let input = try SourceInput(path: path)
        if input.prefix.starts(with: SQLiteConnector.mark) {
            let content = input.compression == nil ? nil : input.content()
            let file = try DatabaseFile(path: path, content: content, scratch: context.scratch, limit: context.limit)
            return try databaseConnector(file, table: table, joins: joins)
        }
        return try connector(for: input, context)
    }

    /// Opens the content at an address.
    private static func remoteConnector(
        for source: String, _ context: RequestContext
    ) throws(ConnectorFailure) -> any Connector {
        let (address, words) = FeedSearch.parts(of: source)
        let (url, table, joins) = try parts(of: address)
        context.words = words
        var request = HTTPRequest(url: url)
        if let tag = context.known?.etag { request.add("If-None-Match", tag) }
        if let date = context.known?.modified { request.add("If-Modified-Since", date) }
        let content = try HTTPBytes(request, by: context)
        if let failure = ConnectorFailure(answer: content.head, host: request.host) { throw failure }
        if content.head.status == 304, let known = context.known { return UnchangedConnector(known) }
        let input = try SourceInput(content, at: url)
        if let catalog = try CatalogServer.connector(for: input, content.head, at: content.url, context) {
            if words != nil, !(catalog is FeedConnector) { throw ConnectorFailure(.unsupported, .noSearch) }
            return catalog
        }
        if words != nil { throw ConnectorFailure(.unsupported, .noSearch) }
        if input.prefix.starts(with: SQLiteConnector.mark) {
            let file = try DatabaseFile(
                path: url, content: input.content(), version: input.version, scratch: context.scratch,
                limit: context.limit)
            return try databaseConnector(file, table: table, joins: joins)
        }
        do throws(ConnectorFailure) {
            return try connector(for: input, context)
        } catch {
            let host = HTTPRequest.name(ofHostIn: content.url)
            if error.reason == .html, host != HTTPRequest.name(ofHostIn: url) {
                throw ConnectorFailure(.offline, .portal, detail: host)
            }
            throw error
        }
    }

    /// Returns the paths of the files that opening the source at a path may read: a file, the files that SQLite has beside
    /// a database, or the database of a library in a directory.
    static func files(of source: String) -> [String] {
        let path = (try? parts(of: source).path) ?? source
        let file = FileState(path: path)?.isDirectory == true ? path + "/metadata.db" : path
        // SQLite looks for them beside the target of a link.
        let files = [file, realPath(file) ?? file]
        return files + files.flatMap(DatabaseFile.logs(of:))
    }

    private static func databaseConnector(
        _ file: DatabaseFile, table: String?, joins: [TableJoin]
    ) throws(ConnectorFailure) -> any Connector {
        if table == nil, try CalibreConnector.isLibrary(file) {
            let directory = file.path.lastIndex(of: "/").map { String(file.path[..<$0]) } ?? "."
            return CalibreConnector(file, directory: directory)
        }
        if table == nil, let library = try LibraryConnector(file) { return library }
        return try SQLiteConnector(file, table: table, joins: joins)
    }

    /// Returns the connector for a source that is not a database.
    private static func connector(
        for input: SourceInput, _ context: RequestContext
    ) throws(ConnectorFailure) -> any Connector {
        input.namedEncoding = context.encoding
        if input.prefix.isEmpty {
            if input.isCut {
                throw ConnectorFailure(.format, .cut, subject: input.path, at: input.size.map { .offset($0) })
            }
            throw ConnectorFailure(.format, .empty, subject: input.path)
        }
        if let json: any Connector = JSONConnector(input) ?? JSONColumnConnector(input) { return json }
        if let marc = MARCConnector(input) { return marc }
        if let xml = try xmlConnector(input, context) { return xml }
        if let bibliography = BibliographyFormat.detect(in: input.decodedPrefix) {
            if bibliography == .ris { return RISConnector(input) }
            return BibliographyConnector(input, bibliography, context)
                ?? BibTeXConnector(input, isBibLaTeX: bibliography == .biblatex)
        }
        if let table = TableConnector(input) { return table }
        // The readable part of the truncated file is too short to detect the format.
        if input.isCut {
            throw ConnectorFailure(.format, .cut, subject: input.path, at: input.size.map { .offset($0) })
        }
        // A compressed archive of POSIX.
        let isArchive = input.prefix.dropFirst(257).starts(with: "ustar".utf8)
        throw ConnectorFailure(.format, isArchive ? .archive : .unknownFormat, subject: input.path)
    }

    /// Returns the connector for an XML document; nil for other input.
    private static func xmlConnector(
        _ input: SourceInput, _ context: RequestContext
    ) throws(ConnectorFailure) -> (any Connector)? {
        var start = input.prefix.prefix(4096)
        for mark in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] where start.starts(with: mark) {
            start = start.dropFirst(mark.count)
        }
        guard start.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0x00].contains($0) }) == UInt8(ascii: "<") else {
            return nil
        }
        let text = String(decoding: start.prefix(1024), as: UTF8.self).lowercased()
        if text.contains("<!doctype html") || text.contains("<html") {
            throw ConnectorFailure(.format, .html, subject: input.path)
        }
        guard let found = try XMLFormat.detect(in: input.prefix) else { return nil }
        guard let format = found.format else {
            if found.root == "xml" { return BibliographyConnector(input, .endnoteXML, context) }
            throw ConnectorFailure(.format, .unknownFormat, subject: input.path, detail: "<\(found.root)>")
        }
        return XMLConnector(input, format)
    }

    /// Splits a source into its path, and the table and joins in its suffix "?table=NAME&joins=JSON".
    private static func parts(
        of source: String
    ) throws(ConnectorFailure) -> (path: String, table: String?, joins: [TableJoin]) {
        // A file name may contain this text; in an address, it may belong to the server's own query.
        guard access(source, F_OK) != 0, let range = source.firstRange(of: "?table="),
            !source.contains("://") || isNameOfDatabase(source[..<range.lowerBound]) || source.contains("&joins=")
        else { return (source, nil, []) }
        let path = String(source[..<range.lowerBound])
        let rest = source[range.upperBound...]
        guard let end = rest.firstRange(of: "&joins=") else { return (path, percentDecoded(rest), []) }
        guard let joins = TableJoin.joins(in: percentDecoded(rest[end.upperBound...])) else {
            throw ConnectorFailure(.request, .member, detail: "joins")
        }
        return (path, percentDecoded(rest[..<end.lowerBound]), joins)
    }

    private static func isNameOfDatabase(_ address: Substring) -> Bool {
        [".db", ".sqlite", ".sqlite3", ".gz", ".zst"].contains { address.lowercased().hasSuffix($0) }
    }
}
