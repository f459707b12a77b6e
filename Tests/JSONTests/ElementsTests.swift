import CText
import TestSupport
import Testing

/// Compares the scanner in C, which processes 64 bytes at a time, with one that processes single bytes.
@Suite("JSON: elements of an array") struct ElementsTests {
    private struct Result: Equatable {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var lastEnd = 0
        var starts: [Int] = []
        var hasEnded = false
    }

    private func plainScan(_ text: [UInt8]) -> Result {
        var result = Result()
        for (index, byte) in text.enumerated() {
            if result.isEscaped {
                result.isEscaped = false
                if byte == 0x22 || byte == 0x5C { continue }
            } else if byte == 0x5C {
                result.isEscaped = true
                continue
            }
            switch byte {
            case 0x22: result.isInString.toggle()
            case 0x5B, 0x7B:
                if result.isInString { continue }
                if result.depth == 0 { result.starts.append(index) }
                result.depth += 1
            case 0x5D, 0x7D:
                if result.isInString { continue }
                result.depth -= 1
                if result.depth == 0 { result.lastEnd = index + 1 }
                if result.depth < 0 {
                    result.hasEnded = true
                    return result
                }
            default: continue
            }
        }
        return result
    }

    /// - Parameter pieceSize: The number of bytes scanned at a time, a multiple of 64.
    private func scan(
        _ text: [UInt8], pieceSize: Int = .max,
        by run: (inout element_scan, UnsafePointer<UInt8>?, Int, inout [UInt64]) -> Void = {
            element_scan_run(&$0, $1, $2, &$3, $3.count)
        }
    ) -> Result {
        var result = Result()
        var scan = element_scan()
        let padded = text + [UInt8](repeating: 0, count: 64)
        var starts = [UInt64](repeating: .max, count: text.count + 1)
        padded.withUnsafeBufferPointer { padded in
            var offset = 0
            while offset < text.count, scan.depth >= 0 {
                let length = min(pieceSize, text.count - offset)
                let count = scan.count
                scan.last_end = 0
                run(&scan, padded.baseAddress.map { $0 + offset }, length, &starts)
                result.starts += starts[count..<scan.count].map { offset + Int($0) }
                if scan.last_end > 0 { result.lastEnd = offset + scan.last_end }
                offset += length
            }
        }
        result.depth = Int(scan.depth)
        result.hasEnded = scan.depth < 0
        // In a shorter last piece, the padding was scanned too.
        let isWhole = text.count.isMultiple(of: 64) && scan.depth >= 0
        result.isInString = isWhole ? scan.in_string != 0 : plainScan(text).isInString
        result.isEscaped = isWhole ? scan.escaped != 0 : plainScan(text).isEscaped
        return result
    }

    @Test func randomBytesAreScannedAsByteByByte() {
        var random = SplitMix(seed: 64)
        let alphabets = [
            Array("\\\"{}[]x".utf8), Array("{}[]\"".utf8), Array("\\\\\\\"{".utf8), Array("{{{}[x\"\\;Z|~".utf8),
        ]
        for round in 0..<4000 {
            let alphabet = alphabets[round % alphabets.count]
            let length = Int.random(in: 0...300, using: &random)
            // Within a nested element, brackets are counted and not processed individually.
            let depth = Int.random(in: 0...90, using: &random) * (round % 3)
            let text =
                [UInt8](repeating: 0x5B, count: depth)
                + (0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &random)] }
            let expected = plainScan(text)
            if scan(text) != expected { Issue.record("\(String(decoding: text, as: UTF8.self))") }
            let anywhere = scan(text) { element_scan_run_anywhere(&$0, $1, $2, &$3, $3.count) }
            if anywhere != expected { Issue.record("\(String(decoding: text, as: UTF8.self)), on an older processor") }
            if scan(text, pieceSize: 64) != expected { Issue.record("\(String(decoding: text, as: UTF8.self)), by 64") }
        }
    }

    /// Runs of backslashes of any length before a quotation mark, at any position within the 64 bytes.
    @Test func backslashesAndQuotesAreRecognizedAtAnyPosition() {
        for place in 0..<130 {
            for count in 0...5 {
                for bookData in ["\"", "{", "]", "x"] {
                    let blanks = String(repeating: " ", count: place)
                    let escapes = String(repeating: "\\", count: count)
                    for text in [
                        "[\"\(blanks)\(escapes)\(bookData){}\"]{}", "\(blanks)\"\(escapes)\(bookData)\" [{}] \"[\"",
                    ] {
                        for padding in [0, 64 - text.utf8.count & 63] {
                            let bytes = Array(text.utf8) + [UInt8](repeating: 0x20, count: padding)
                            #expect(scan(bytes) == plainScan(bytes), "\(text)")
                        }
                    }
                }
            }
        }
    }

    @Test func charactersOneBitAwayFromBracketsAreNotBrackets() {
        // Every single byte at every position.
        for byte in UInt8.min...UInt8.max {
            for place in [0, 15, 16, 31, 63, 64] {
                let text = [UInt8](repeating: 0x20, count: place) + [byte, 0x20]
                if scan(text) != plainScan(text) { Issue.record("\(byte) at \(place)") }
            }
        }
    }

    @Test func theNumberOfRecordedStartsIsLimited() {
        let text = Array(String(repeating: "{},", count: 100).utf8)
        var starts = [UInt64](repeating: 7, count: 3)
        var scan = element_scan()
        (text + [UInt8](repeating: 0, count: 64)).withUnsafeBufferPointer {
            element_scan_run(&scan, $0.baseAddress, text.count, &starts, 2)
        }
        #expect(starts == [0, 3, 7])
        #expect(scan.count == 100)
    }
}
