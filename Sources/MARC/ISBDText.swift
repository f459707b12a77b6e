/// Texts with the punctuation of International Standard Bibliographic Description (ISBD).
extension String {
    /// The text without leading and trailing ASCII white space.
    public var trimmed: String {
        part { bytes in
            bytes.indices.withoutBlanks(in: bytes)
        }
    }

    /// The text without ISBD punctuation before the next part: "Emma /" becomes "Emma". The period of an initial or a
    /// short abbreviation stays.
    var withoutPunctuation: String {
        part { bytes in
            var range = bytes.indices.withoutBlanks(in: bytes)
            while let last = range.last, bytes[last].isPunctuation {
                range = range.dropLast().withoutBlanks(in: bytes)
            }
            if range.count > 1, bytes[range.upperBound - 1] == UInt8(ascii: ".") {
                let word = bytes[range].dropLast().reversed().prefix { $0.isWord }
                let before = bytes[range.upperBound - 2]
                let isEnd = word.count > 3 || word.contains { $0 <= UInt8(ascii: "9") }
                if isEnd || before == UInt8(ascii: "]") || before == UInt8(ascii: ")") { range.removeLast() }
            }
            if range.count > 1, bytes[range.lowerBound] == UInt8(ascii: "["),
                bytes[range.upperBound - 1] == UInt8(ascii: "]"),
                !bytes[range].dropFirst().dropLast().contains(where: \.isSquareBracket)
            {
                range = range.dropFirst().dropLast()
            }
            return range
        }
    }

    /// Returns the part of the UTF-8 bytes that `find` returns. Reading characters would take ten times as long.
    private func part(_ find: (UnsafeBufferPointer<UInt8>) -> Range<Int>) -> String {
        var text = self
        return text.withUTF8 { bytes in
            String(decoding: UnsafeBufferPointer(rebasing: bytes[find(bytes)]), as: UTF8.self)
        }
    }

    /// The first four digits in a row.
    public var firstYear: String? {
        var count = 0
        for index in utf8.indices {
            count = (0x30...0x39).contains(utf8[index]) ? count + 1 : 0
            if count == 4 { return String(self[utf8.index(index, offsetBy: -3)...index]) }
        }
        return nil
    }

    /// The year of a date of publication: "-0430" of "430 BC", or the first four digits.
    var yearOfPublication: String? {
        // Looking for a substring takes long.
        if utf8.contains(UInt8(ascii: "B")), let era = firstRange(of: "BC") ?? firstRange(of: "B.C.") {
            let digits = self[..<era.lowerBound].reversed().drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
            if !digits.isEmpty, digits.count <= 4 {
                return "-" + String(repeating: "0", count: 4 - digits.count) + String(digits.reversed())
            }
        }
        return firstYear
    }

    /// The first number, with a decimal point if it has one.
    public var firstNumber: String? {
        let start = drop { !($0.isNumber && $0.isASCII) }
        let number = start.prefix { $0.isNumber && $0.isASCII || $0 == "." }
        return number.isEmpty ? nil : String(number.hasSuffix(".") ? number.dropLast() : number)
    }
}

extension Range<Int> {
    /// The range without white space, and without the marks of direction U+200E and U+200F, at its ends.
    fileprivate func withoutBlanks(in bytes: UnsafeBufferPointer<UInt8>) -> Self {
        func isMark(_ start: Int) -> Bool {
            bytes[start] == 0xE2 && bytes[start + 1] == 0x80 && bytes[start + 2] & 0xFE == 0x8E
        }
        var range = self
        while let last = range.last {
            if bytes[last].isBlank {
                range.removeLast()
            } else if range.count > 2, isMark(last - 2) {
                range.removeLast(3)
            } else {
                break
            }
        }
        while let first = range.first {
            if bytes[first].isBlank {
                range.removeFirst()
            } else if range.count > 2, isMark(first) {
                range.removeFirst(3)
            } else {
                break
            }
        }
        return range
    }
}

extension UInt8 {
    /// Whether the byte is white space.
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// Whether the byte is ISBD punctuation at the end of a part.
    fileprivate var isPunctuation: Bool { "/:;,=".utf8.contains(self) }

    fileprivate var isSquareBracket: Bool { self == UInt8(ascii: "[") || self == UInt8(ascii: "]") }

    /// Whether the byte is a digit or belongs to a letter.
    fileprivate var isWord: Bool {
        self >= 0x80 || (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF)
    }
}
