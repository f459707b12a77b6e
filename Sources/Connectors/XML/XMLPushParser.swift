internal import CLibXML2
internal import ConnectorProtocol
internal import Glibc
internal import MARC

/// Receives the parts of an XML document.
protocol XMLReceiver: AnyObject {
    /// Called at the start of an element.
    func begin(_ name: XMLName, _ attributes: XMLAttributes)
    /// Called at the end of an element.
    func end(_ name: XMLName)
    /// Called for text within an element, possibly several times.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// The name of an element without its prefix, valid during a call.
struct XMLName {
    fileprivate let start: UnsafePointer<UInt8>

    /// Returns whether the name is equal.
    static func ~= (name: StaticString, other: XMLName) -> Bool {
        strcmp(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), other.start) == 0
    }

    /// The name as a string.
    var string: String { String(cString: start) }
}

/// The attributes of an element, valid during a call.
struct XMLAttributes {
    fileprivate let parts: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    /// The number of attributes.
    let count: Int

    /// Returns the value of the attribute with this name, regardless of its prefix.
    func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        for index in 0..<count {
            guard let start = parts?[index * 5], name ~= XMLName(start: start) else { continue }
            return bytes(index)
        }
        return nil
    }

    /// All attributes as strings.
    var strings: [(name: String, value: String)] {
        (0..<count).compactMap { index in
            guard let start = parts?[index * 5], let bytes = bytes(index) else { return nil }
            // libxml2 leaves this reference for the code that expands entities.
            let value = String(decoding: bytes, as: UTF8.self).replacing("&#38;", with: "&")
            return (String(cString: start), value)
        }
    }

    private func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard let start = parts?[index * 5 + 3], let end = parts?[index * 5 + 4] else { return nil }
        return UnsafeBufferPointer(start: start, count: start.distance(to: end))
    }
}

/// Parses XML part by part with libxml2, without holding the whole document in memory.
///
/// Declarations of entities are rejected, so that none can be expanded or read a file.
final class XMLPushParser {
    /// The reason why parsing ended early.
    enum Stop: Equatable {
        /// A declaration of an entity, or a reference to one.
        case entity
        /// Elements are nested deeper than any format needs.
        case tooDeep
        /// The document is not well-formed; libxml2's message.
        case malformed(String)
    }

    /// The maximum depth of elements.
    static let maximumDepth = 64

    private var context: xmlParserCtxtPtr?
    fileprivate let receiver: any XMLReceiver
    fileprivate var depth = 0
    /// Whether the root element has ended.
    fileprivate(set) var hasEnded = false
    /// The reason why parsing ended early, if it did.
    fileprivate(set) var stop: Stop? { didSet { isStopped = stop != nil } }
    /// Whether `stop` is set, as a Boolean for speed: it is checked for each element.
    private var isStopped = false
    private var hasRepairs = false
    /// Whether there was more than white space.
    private var hasBegun = false
    /// What escapes ampersands; nil in UTF-16.
    private var escaper: AmpersandEscaper?
    /// The number of line ends before the document.
    private var skippedLineCount = 0
    /// The line where parsing ended early.
    fileprivate(set) var stopLine = 0
    /// The recoverable errors, with the line and the message of the first of each kind.
    private(set) var repairs: [SourceDefect] = []

    /// Creates a parser that passes the parts to `receiver`.
    init?(_ receiver: any XMLReceiver) {
        self.receiver = receiver
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { context, name, _, _, _, _, count, _, attributes in
            guard let context, let name else { return }
            XMLPushParser.of(context).begin(
                XMLName(start: name), XMLAttributes(parts: attributes, count: Int(count)))
        }
        handler.endElementNs = { context, name, _, _ in
            guard let context, let name else { return }
            XMLPushParser.of(context).end(XMLName(start: name))
        }
        handler.characters = { context, text, count in
            guard let context else { return }
            XMLPushParser.of(context).add(UnsafeBufferPointer(start: text, count: Int(count)))
        }
        handler.cdataBlock = handler.characters
        handler.ignorableWhitespace = handler.characters
        handler.entityDecl = { context, _, _, _, _, _ in
            if let context { XMLPushParser.of(context).refuse(.entity) }
        }
        handler.reference = { context, _ in
            if let context { XMLPushParser.of(context).refuse(.entity) }
        }
        handler.getEntity = { _, name in xmlGetPredefinedEntity(name) }
        handler.serror = { context, error in
            guard let context, let error, error.pointee.level == XML_ERR_FATAL else { return }
            let message = error.pointee.message.map { String(cString: $0) } ?? ""
            XMLPushParser.of(context).receive(error.pointee.code, message.trimmed, Int(error.pointee.line))
        }
        context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        guard let context else { return nil }
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_RECOVER.rawValue))
    }

    deinit {
        if let context {
            if let document = context.pointee.myDoc { xmlFreeDoc(document) }
            xmlFreeParserCtxt(context)
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> XMLPushParser {
        Unmanaged<XMLPushParser>.fromOpaque(context).takeUnretainedValue()
    }

    /// Parses a part of the document. White space before it, which many programs write, is left out, because nothing
    /// may come before an XML declaration (XML 1.0, section 2.8).
    func parse(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard stop == nil else { return }
        let start = hasBegun ? 0 : bytes.firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
        if !hasBegun { skippedLineCount += bytes[..<start].count { $0 == UInt8(ascii: "\n") } }
        if start == bytes.count { return }
        let part = UnsafeBufferPointer(rebasing: bytes[start...])
        if !hasBegun {
            hasBegun = true
            // UTF-16 and UTF-32 begin with a byte order mark, or have zeros.
            let isASCII = part[0] < 0xFE && !part.prefix(4).contains(0)
            if isASCII { escaper = AmpersandEscaper() }
        }
        feed(part)
    }

    private func feed(_ part: UnsafeBufferPointer<UInt8>, isLast: Bool = false) {
        func parse(_ bytes: UnsafeBufferPointer<UInt8>) {
            bytes.withMemoryRebound(to: CChar.self) {
                _ = xmlParseChunk(context, $0.baseAddress, Int32($0.count), isLast ? 1 : 0)
            }
        }
        if escaper == nil { parse(part) } else { escaper?.escape(part, isLast: isLast, parse) }
    }

    /// Ends the document.
    func finish() {
        if stop == nil { feed(UnsafeBufferPointer(start: nil, count: 0), isLast: true) }
    }

    /// The current line.
    var line: Int { Int(xmlSAX2GetLineNumber(context)) + skippedLineCount }

    private func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        guard continues else { return }
        depth += 1
        if depth > Self.maximumDepth { return refuse(.tooDeep) }
        receiver.begin(name, attributes)
    }

    private func end(_ name: XMLName) {
        guard continues else { return }
        depth -= 1
        receiver.end(name)
        if depth == 0 { hasEnded = true }
    }

    private func add(_ text: UnsafeBufferPointer<UInt8>) {
        if continues { receiver.text(text) }
    }

    /// Whether parsing continues.
    private var continues: Bool {
        // After an error, libxml2 drops even the predefined entities from the text.
        if hasRepairs { context?.pointee.wellFormed = 1 }
        return !isStopped
    }

    private func refuse(_ reason: Stop) {
        guard stop == nil else { return }
        stop = reason
        stopLine = line
        xmlStopParser(context)
    }

    /// Handles an error. Invalid characters and undeclared entities are dropped, and parsing continues.
    private func receive(_ code: Int32, _ message: String, _ line: Int) {
        guard stop == nil else { return }
        let line = line + skippedLineCount
        switch UInt32(code) {
        case XML_ERR_INVALID_CHARREF.rawValue, XML_ERR_INVALID_CHAR.rawValue: repair(.encoding, message, line)
        case XML_ERR_UNDECLARED_ENTITY.rawValue: repair(.entity, message, line)
        default: fail(message, line)
        }
    }

    private func repair(_ kind: SourceDefect.Kind, _ message: String, _ line: Int) {
        hasRepairs = true
        if let index = repairs.firstIndex(where: { $0.kind == kind }) {
            repairs[index].count += 1
        } else {
            repairs.append(SourceDefect(kind, first: .line(line), detail: message))
        }
        Self.replacement.withUnsafeBufferPointer { receiver.text($0) }
    }

    private static let replacement = Array("\u{FFFD}".utf8)

    private func fail(_ message: String, _ line: Int) {
        stop = .malformed(message)
        stopLine = line
    }
}
