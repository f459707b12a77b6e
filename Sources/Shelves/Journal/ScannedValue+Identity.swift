internal import Books
internal import JSON

extension ScannedValue {
    /// The value as an identity, if it is one.
    var identity: BookIdentity? {
        switch self {
        case .text(let bytes): BookIdentity(plain: bytes) ?? BookIdentity(String(decoding: bytes, as: UTF8.self))
        case .texts: nil
        case .value(let value): value.string.flatMap(BookIdentity.init)
        }
    }
}

extension BookIdentity {
    /// Parses an identity with the first occurrence of its key; takes a fiftieth of the time of parsing a string and
    /// formatting it again for comparison.
    fileprivate init?(plain bytes: ObjectScanner.Text) {
        let start = 5
        if bytes.count == start + 13, "isbn:" ~= ScannedKey(bytes: ObjectScanner.Text(rebasing: bytes[..<start])) {
            var number: UInt64 = 0
            var sum: UInt64 = 0
            for index in 0..<13 {
                let digit = bytes[start + index] &- UInt8(ascii: "0")
                if digit > 9 { return nil }
                number = number * 10 + UInt64(digit)
                sum += UInt64(digit) * (index % 2 == 0 ? 1 : 3)
            }
            guard sum % 10 == 0, 978...979 ~= number / 10_000_000_000 else { return nil }
            self.init(key: Key(indexed: number))
        } else if bytes.count == start + 16, "hash:" ~= ScannedKey(bytes: ObjectScanner.Text(rebasing: bytes[..<start]))
        {
            var number: UInt64 = 0
            for index in 0..<16 {
                switch bytes[start + index] {
                case let digit where digit &- UInt8(ascii: "0") < 10:
                    number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
                case let digit where digit &- UInt8(ascii: "a") < 6:
                    number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
                default: return nil
                }
            }
            if number >> 63 != 0 { return nil }
            self.init(key: Key(indexed: number | 1 << 63))
        } else {
            return nil
        }
    }
}
