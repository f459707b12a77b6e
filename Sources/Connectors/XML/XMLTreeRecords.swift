internal import ConnectorProtocol

/// An element with its content.
final class XMLElement {
    /// The name without its prefix.
    let name: String
    /// The attributes, without the prefixes of their names.
    private(set) var attributes: [(name: String, value: String)]
    /// The elements within.
    private(set) var children: [XMLElement] = []
    /// The text directly within.
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

    /// Adds text directly within.
    func add(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

    /// Changes the value of an existing attribute.
    func set(_ name: String, to value: String) {
        for index in attributes.indices where attributes[index].name == name { attributes[index].value = value }
    }

    /// The text, with white space of any length as one blank.
    var text: String {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The text of the element and of all within.
    var wholeText: String {
        ([text] + children.map(\.wholeText)).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The elements of this name directly within.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The first element of this name directly within.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The texts of the elements of this name directly within, without blank ones.
    func texts(_ name: String) -> [String] { all(name).map(\.text).filter { !$0.isEmpty } }
}

/// Extracts the elements of one name from a document, each of which is a record.
final class XMLTreeRecords: XMLRecords {
    private let element: StaticString
    private let append: (XMLElement, inout [UInt8]) -> Bool
    /// The open element, within its ancestors; empty between records.
    private var open: [XMLElement] = []
    private var size = 0

    /// The maximum number of elements and of bytes of text in a record.
    private static let recordLimit = 1 << 22

    /// Creates a reader of the elements named `element`; `append` writes one as JSON, and returns whether it is a book.
    init(_ rows: RowWriter, element: StaticString, append: @escaping (XMLElement, inout [UInt8]) -> Bool) {
        self.element = element
        self.append = append
        super.init(rows)
    }

    override func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        if open.isEmpty {
            guard element ~= name else { return }
            beginRecord()
            size = 0
        }
        size += 64
        let new = XMLElement(name.string, attributes.strings)
        // Of a record that is too large, only the depth matters.
        if size > Self.recordLimit { isTooLarge = true } else { open.last?.add(new) }
        open.append(new)
    }

    override func end(_ name: XMLName) {
        guard let last = open.popLast(), open.isEmpty else { return }
        var json: [UInt8] = []
        // An element that is not a book, such as a link to another list, is not a row.
        guard isTooLarge || append(last, &json) else { return rows.note(.foreign, at: .record(number)) }
        endRecord {
            $0 += json
            return true
        }
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
