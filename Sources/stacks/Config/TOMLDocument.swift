internal import CTOML

/// A valid TOML text; only this file uses the TOML library.
struct TOMLDocument {
    /// A syntax error.
    struct SyntaxError: Error {
        /// The line at which the parser stopped, counted from 1.
        var line: Int
        /// The column at which the parser stopped, in characters, counted from 1.
        var column: Int
        /// The parser's description.
        var description: String
    }

    /// The entries of the root table, including tables, in the order of their keys in the text.
    let entries: [ConfigEntry]

    /// Parses UTF-8 text.
    init(_ bytes: [UInt8]) throws(SyntaxError) {
        let document = bytes.withUnsafeBytes { bytes in
            ctoml_parse(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        defer { ctoml_free(document) }
        guard let nodes = ctoml_nodes(document) else {
            let position = ctoml_error_position(document)
            throw SyntaxError(
                line: Int(position.line), column: Int(position.column), description: Self.text(ctoml_error(document)))
        }
        var next = nodes + 1
        entries = Self.entries(count: nodes.pointee.count, from: &next)
    }

    /// Reads `count` entries of a table and advances `next` past them.
    private static func entries(count: Int, from next: inout UnsafePointer<ctoml_node>) -> [ConfigEntry] {
        var entries: [ConfigEntry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let position = next.pointee.key_position
            let name = text(next.pointee.key)
            entries.append(
                ConfigEntry(
                    name: name, line: Int(position.line), column: Int(position.column), value: value(from: &next)))
        }
        // The library sorts entries by name.
        return entries.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// Reads a value and advances `next` past it.
    private static func value(from next: inout UnsafePointer<ctoml_node>) -> ConfigValue {
        let node = next.pointee
        next += 1
        return switch node.kind {
        case CTOML_TABLE: .table(entries(count: node.count, from: &next))
        case CTOML_ARRAY: .list((0..<node.count).map { _ in value(from: &next) })
        case CTOML_STRING: .text(text(node.string))
        case CTOML_INTEGER: .integer(Int(node.integer))
        case CTOML_BOOLEAN: .flag(node.integer != 0)
        case CTOML_FLOAT: .fraction
        default: .date
        }
    }

    private static func text(_ text: ctoml_text) -> String {
        String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
    }
}
