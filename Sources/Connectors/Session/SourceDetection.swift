internal import ConnectorProtocol
internal import Glibc

/// Finds the connector for a source by its content.
enum SourceDetection {
    /// The kinds of sources that can be opened.
    static let kinds = [
        "json", "csv", "tsv", "sqlite", "calibre", "marc", "marcxml", "mods", "opds", "bibtex", "biblatex", "ris",
        "endnote", "endnote-xml", "isi",
    ]

    /// Opens a source; copies that it needs for this go into the directory `scratch`.
    static func connector(for source: String, scratch: ScratchDirectory) throws(ConnectorFailure) -> any Connector {
        if source.contains("://") {
            throw ConnectorFailure(.unsupported, detail: String(source.prefix { $0 != ":" }))
        }
        let (path, table, joins) = try parts(of: source)
        guard let state = FileState(path: path) else { throw .cannotRead(path) }
        if state.isDirectory {
            let database = path + "/metadata.db"
            guard access(database, F_OK) == 0 else {
                throw ConnectorFailure(.format, .unknownFormat, subject: path, detail: "directory")
            }
            return CalibreConnector(try DatabaseFile(path: database, scratch: scratch.path), directory: path)
        }
        guard state.isRegular else {
            throw ConnectorFailure(.unsupported, .unknownFormat, subject: path)
        }
        let input = try SourceInput(path: path)
        if input.prefix.isEmpty {
            if input.isCut { throw ConnectorFailure(.format, .cut, subject: path, at: .offset(input.size)) }
            throw ConnectorFailure(.format, .empty, subject: path)
        }
        if input.prefix.starts(with: SQLiteConnector.mark) {
            let content = input.compression == nil ? nil : input.content()
            let file = try DatabaseFile(path: path, content: content, scratch: scratch.path)
            if table == nil, try CalibreConnector.isLibrary(file) {
                let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
                return CalibreConnector(file, directory: directory)
            }
            if table == nil, let library = try LibraryConnector(file) { return library }
            return try SQLiteConnector(file, table: table, joins: joins)
        }
        if let json = CompressedJSONConnector(input) { return json }
        if let marc = MARCConnector(input) { return marc }
        if let xml = try xmlConnector(input, scratch: scratch) { return xml }
        if let bibliography = BibliographyFormat.detect(in: input.prefix) {
            return BibliographyConnector(input, bibliography, scratch: scratch)
        }
        if let table = TableConnector(input) { return table }
        // So little of a compressed file says nothing of its format.
        if input.isCut { throw ConnectorFailure(.format, .cut, subject: path, at: .offset(input.size)) }
        throw ConnectorFailure(.format, .unknownFormat, subject: path)
    }

    /// Returns the connector for a document of XML; nil if the input is none.
    private static func xmlConnector(
        _ input: SourceInput, scratch: ScratchDirectory
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
            if found.root == "xml" { return BibliographyConnector(input, .endnoteXML, scratch: scratch) }
            throw ConnectorFailure(.format, .unknownFormat, subject: input.path, detail: "<\(found.root)>")
        }
        return XMLConnector(input, format)
    }

    /// Returns the path of a source, and the table and joins that follow it as "?table=NAME&joins=JSON".
    private static func parts(
        of source: String
    ) throws(ConnectorFailure) -> (path: String, table: String?, joins: [TableJoin]) {
        // A file may have such a name.
        guard access(source, F_OK) != 0, let range = source.firstRange(of: "?table=") else { return (source, nil, []) }
        let path = String(source[..<range.lowerBound])
        let rest = source[range.upperBound...]
        guard let end = rest.firstRange(of: "&joins=") else { return (path, decoded(String(rest)), []) }
        guard let joins = TableJoin.joins(in: decoded(String(rest[end.upperBound...]))) else {
            throw ConnectorFailure(.request, .member, detail: "joins")
        }
        return (path, decoded(String(rest[..<end.lowerBound])), joins)
    }

    /// Returns a text with its percent encodings decoded.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
