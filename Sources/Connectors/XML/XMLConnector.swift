internal import ConnectorProtocol

/// The XML formats for books.
enum XMLFormat: String {
    case marcxml, mods, opds

    /// The root elements of the formats.
    private static let roots: [String: XMLFormat] = [
        "collection": .marcxml, "record": .marcxml, "modsCollection": .mods, "mods": .mods, "feed": .opds,
        "entry": .opds,
    ]

    /// The root elements of answers of servers: those of OAI-PMH, and of SRU.
    private static let answers: Set = ["OAI-PMH", "searchRetrieveResponse"]

    /// Detects the format by the root element in the start of a document; returns nil if there is none.
    ///
    /// - Returns: The format (nil if unknown), and the name of the root element.
    /// - Throws: `ConnectorFailure` if an entity is declared before the root.
    static func detect(in prefix: [UInt8]) throws(ConnectorFailure) -> (format: XMLFormat?, root: String)? {
        let root = RootElement()
        guard let parser = XMLPushParser(root) else { return nil }
        prefix.withUnsafeBufferPointer { parser.parse($0) }
        guard let name = root.name else {
            if parser.stop == .entity { throw ConnectorFailure(.refused, .entity, at: .line(parser.stopLine)) }
            return nil
        }
        return (answers.contains(name) ? root.hasMODS ? .mods : .marcxml : roots[name], name)
    }

    /// Reads the name of the first element.
    private final class RootElement: XMLReceiver {
        private(set) var name: String?
        /// Whether there are records of MODS.
        private(set) var hasMODS = false

        func begin(_ name: XMLName, _ attributes: XMLAttributes) {
            if self.name == nil { self.name = name.string }
            if "mods" ~= name { hasMODS = true }
        }

        func end(_ name: XMLName) {}
        func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
    }
}

/// A reader that extracts records from an XML document and writes them as rows.
class XMLRecords: XMLReceiver {
    /// The destination of the rows.
    let rows: RowWriter
    /// The write error, if any; nothing is written after it.
    private(set) var failure: ConnectorFailure?
    /// The number of records so far, including skipped ones.
    private(set) var number = 0
    /// Whether the record is skipped because a field is too large.
    var isTooLarge = false

    /// The maximum length of the text of one element.
    static let fieldLimit = 1 << 20

    /// Creates a reader that writes into `rows`.
    init(_ rows: RowWriter) { self.rows = rows }

    func begin(_ name: XMLName, _ attributes: XMLAttributes) {}
    func end(_ name: XMLName) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// Called after the last element.
    func finish() {}

    /// Begins a record.
    func beginRecord() {
        number += 1
        isTooLarge = false
    }

    /// Writes a record unless it is too large.
    func endRecord(_ append: (inout [UInt8]) -> Bool) {
        guard failure == nil else { return }
        if isTooLarge {
            rows.note(.tooLarge, at: .record(number))
            return
        }
        do throws(ConnectorFailure) {
            var isText = true
            try rows.add { isText = append(&$0) }
            if !isText { rows.note(.encoding, at: .record(number)) }
        } catch {
            failure = error
        }
    }
}

/// An XML document: MARCXML, MODS or OPDS.
final class XMLConnector: Connector {
    private let input: SourceInput
    private let format: XMLFormat
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// Opens a document in a recognized format.
    init(_ input: SourceInput, _ format: XMLFormat) {
        self.input = input
        self.format = format
        opened = OpenedSource(kind: format.rawValue, profile: "native")
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        guard isUTF8 else { return try Self.copy(input.content(), format, to: rows) }
        // libxml2 stops at a byte that is not UTF-8.
        let text = ConvertedText(input.content(), from: .utf8)
        defer { rows.note(text.encodingErrors) }
        return try Self.copy(text, format, to: rows)
    }

    /// Whether the document is in UTF-8, which is the default.
    private var isUTF8: Bool {
        let start = input.prefix.prefix(256)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.contains(0) { return false }
        let text = String(decoding: start, as: UTF8.self).lowercased()
        guard let end = text.firstRange(of: "?>"), let name = text.firstRange(of: "encoding"),
            name.lowerBound < end.lowerBound
        else { return true }
        let declaration = text[name.upperBound..<end.lowerBound]
        return ["utf-8", "utf8", "ascii"].contains { declaration.contains($0) }
    }

    /// Writes the records of a document as rows.
    ///
    /// - Parameter inventsIDs: Whether MODS identifiers such as "ref1" are sequence numbers added by bibutils.
    /// - Returns: Whether the root element was closed.
    static func copy(
        _ source: any ByteSource, _ format: XMLFormat, inventsIDs: Bool = false, to rows: RowWriter
    ) throws(ConnectorFailure) -> Bool {
        let records: XMLRecords =
            switch format {
            case .marcxml: MARCXMLRecords(rows)
            case .mods: XMLTreeRecords(rows, element: "mods") { $0.appendMODS(inventsIDs: inventsIDs, to: &$1) }
            case .opds: XMLTreeRecords(rows, element: "entry") { $0.appendOPDS(to: &$1) }
            }
        guard let parser = XMLPushParser(records) else { throw ConnectorFailure(.helper, detail: "libxml2") }
        while parser.stop == nil, records.failure == nil {
            let part = try source.read(upTo: 1 << 16)
            if part.isEmpty { break }
            part.withUnsafeBufferPointer { parser.parse($0) }
        }
        // An error before the end is not a truncation.
        let isReadToEnd = parser.stop == nil
        if records.failure == nil { parser.finish() }
        records.finish()
        if let failure = records.failure { throw failure }
        for repair in parser.repairs {
            rows.note(repair.kind, at: repair.first, detail: repair.detail, count: repair.count)
        }
        switch parser.stop {
        case nil: break
        case .entity: throw ConnectorFailure(.refused, .entity, at: .line(parser.stopLine))
        case .tooDeep: rows.note(.tooDeep, at: .line(parser.stopLine))
        case .malformed(let message):
            // Text after the root is harmless; text that ends before the root is closed is not.
            if parser.hasEnded, !source.isCut {
                rows.note(.foreign, at: .line(parser.stopLine), detail: message)
                return true
            }
            rows.note(source.isCut || isReadToEnd ? .cut : .malformed, at: .line(parser.stopLine), detail: message)
        }
        return parser.stop == nil && parser.hasEnded && !source.isCut
    }
}
