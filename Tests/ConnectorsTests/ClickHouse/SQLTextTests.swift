import TestSupport
import Testing

@testable import Connectors

@Suite("Texts in statements of ClickHouse")
struct SQLTextTests {
    @Test("Letters, digits and a few signs are written as they are, all other bytes by their numbers")
    func spelling() {
        #expect(SQLText.literal("King, 1.0") == "'King, 1.0'")
        #expect(SQLText.literal("a'b\\c\0") == #"'a\x27b\x5Cc\x00'"#)
        #expect(SQLText.literal("é") == #"'\xC3\xA9'"#)
        #expect(SQLText.identifier("a`b") == #"`a\x60b`"#)
    }

    @Test("No text can end its literal")
    func closed() {
        var random = SplitMix(seed: 3)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let literal = SQLText.literal(bytes)
            #expect(literal.hasPrefix("'") && literal.hasSuffix("'"))
            #expect(
                literal.utf8.dropFirst().dropLast().allSatisfy { $0 != UInt8(ascii: "'") && $0 >= 0x20 && $0 < 0x7F })
        }
    }

    @Test("A server reads the text that was meant, with quotes, backslashes, NUL and all scripts", .usesServers)
    func roundTrip() throws {
        let cluster = try ClickHouseCluster()
        let address = try ClickHouseAddress(cluster.address(of: "default"))
        let client = ClickHouseClient(ClickHouseServers(address), RequestContext())
        var texts = [
            "", "'", "\\", "\\'", "''", "'; DROP TABLE x; --", "\0", "a\0b", "\n\r\t\u{8}\u{c}", "\\x27", "\\N", "`",
            "{a:String}",
            "naïve ελλάδα война 日本 العربية עברית हिन्दी 한국어 👩‍👩‍👧", "\u{202E}\u{200B}\u{FEFF}",
        ].map { Array($0.utf8) }
        texts.append((0...255).map { UInt8($0) })
        var random = SplitMix(seed: 4)
        for _ in 0..<300 {
            texts.append(
                (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        for text in texts {
            let rows = try client.rows(
                "SELECT \(SQLText.literal(text)) AS a, toUInt8(a = unhex('\(text.hexadecimal)'))", .text, .uint8)
            #expect(rows == [[.text(text), .number(1)]])
        }
        // As the name of a database, too.
        for name in ["a`b", "a\\b", "a'b", "naïve 日本"] {
            try client.execute("CREATE DATABASE \(SQLText.identifier(name))", on: 0)
            let found = try client.rows(
                "SELECT name FROM system.databases WHERE name = \(SQLText.literal(name))", .text)
            #expect(found == [[.text(Array(name.utf8))]])
        }
    }
}

extension [UInt8] {
    /// The bytes as hexadecimal digits.
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
