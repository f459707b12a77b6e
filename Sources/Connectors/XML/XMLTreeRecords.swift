internal import ConnectorProtocol

/// An XML element with its content.
final class XMLElement {
    /// The name without its prefix.
    let name: String
    /// The attributes, without the prefixes of their names.
    private(set) var attributes: [(name: String, value: String)]
    /// The child elements.
    private(set) var children: [XMLElement] = []
    /// The text of this element, without its children.
    private(set) var bytes: [UInt8] = []

    /// Creates an empty element.
    init(_ name: String, _ attributes: [(name: String, value: String)]) {
        self.name = name
        self.attributes = attributes
    }

    /// The value of an attribute.
    subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Adds a child element.
    func add(_ child: XMLElement) { children.append(child) }

    /// Adds text to this element.
    func add(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

    /// Changes the value of an existing attribute.
    func set(_ name: String, to value: String) {
        for index in attributes.indices where attributes[index].name == name { attributes[index].value = value }
    }

    /// The text with runs of white space collapsed to one blank.
    var text: String {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The text of this element and its descendants.
    var wholeText: String {
        ([text] + children.map(\.wholeText)).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the child elements with this name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// Returns the first child element with this name.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// Returns the non-blank texts of the child elements with this name.
    func texts(_ name: String) -> [String] { all(name).map(\.text).filter { !$0.isEmpty } }
}

/// What an element of a document is.
enum XMLRecordKind {
    /// A book.
    case book
    /// A link to another list.
    case navigation
    /// Something else, with its title.
    case other(String?)
}

/// Extracts records from a document: all elements with one name.
final class XMLTreeRecords: XMLRecords {
    private let element: StaticString
    private let append: (XMLElement, inout [UInt8]) -> XMLRecordKind
    /// The open elements of the current record, outermost first; empty between records.
    private var open: [XMLElement] = []
    private var size = 0
    private var hasBooks = false
    /// The number of links to other lists.
    private var linkCount = 0
    /// The bases of addresses in the open elements outside of a record, outermost first.
    private var bases: [String?] = []

    /// The maximum number of elements and of bytes of text in a record.
    private static let recordLimit = 1 << 22

    /// Creates a reader for the elements named `element`; `append` writes an element as JSON if it is a book, and
    /// returns what it is.
    init(_ rows: RowWriter, element: StaticString, append: @escaping (XMLElement, inout [UInt8]) -> XMLRecordKind) {
        self.element = element
        self.append = append
        super.init(rows)
    }

    override func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        if open.isEmpty {
            guard element ~= name else {
                let base = attributes.value("base").map { String(decoding: $0, as: UTF8.self) }
                return bases.append(WebAddress.resolved(base, in: bases.last ?? nil))
            }
            beginRecord()
            size = 0
        }
        size += 64
        let new = XMLElement(name.string, attributes.strings)
        // For a record that is too large, only the depth is tracked.
        if size > Self.recordLimit { isTooLarge = true } else { open.last?.add(new) }
        open.append(new)
    }

    override func end(_ name: XMLName) {
        guard let last = open.popLast() else {
            bases.removeLast()
            return
        }
        guard open.isEmpty else { return }
        var json: [UInt8] = []
        if !isTooLarge {
            last.resolveLinks(in: bases.last ?? nil)
            switch append(last, &json) {
            case .book: hasBooks = true
            case .navigation:
                linkCount += 1
                return
            case .other(let title): return rows.note(.notABook, at: .record(number), detail: title)
            }
        }
        endRecord {
            $0 += json
            return true
        }
    }

    override func finish() {
        // Beside books they are no defect.
        if !hasBooks, linkCount > 0 { rows.note(.foreign, at: .record(1), count: linkCount) }
    }

    override func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let last = open.last, !isTooLarge else { return }
        size += bytes.count
        if last.bytes.count + bytes.count > Self.fieldLimit || size > Self.recordLimit {
            isTooLarge = true
        } else {
            last.add(bytes)
        }
    }
}
