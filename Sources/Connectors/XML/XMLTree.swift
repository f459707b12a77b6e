internal import ConnectorProtocol

/// Builds the element tree of a small XML document, such as the response of a server.
final class XMLTree: XMLReceiver {
    private var open: [XMLElement] = []
    private var root: XMLElement?

    private init() {}

    /// Parses a document.
    ///
    /// - Returns: The root element; nil if the document is truncated or not XML.
    /// - Throws: `ConnectorFailure` if it declares an entity.
    static func root(of document: [UInt8]) throws(ConnectorFailure) -> XMLElement? {
        let tree = XMLTree()
        guard let parser = XMLPushParser(tree) else { throw ConnectorFailure(.helper, detail: "libxml2") }
        document.withUnsafeBufferPointer { parser.parse($0) }
        parser.finish()
        if parser.stop == .entity { throw ConnectorFailure(.refused, .entity, at: .line(parser.stopLine)) }
        return parser.hasEnded ? tree.root : nil
    }

    func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        let element = XMLElement(name.string, attributes.strings)
        if let parent = open.last { parent.add(element) } else if root == nil { root = element }
        open.append(element)
    }

    func end(_ name: XMLName) { open.removeLast() }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { open.last?.add(bytes) }
}
