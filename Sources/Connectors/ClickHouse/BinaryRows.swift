internal import ConnectorProtocol

/// The types of the columns that stacks uses.
enum ColumnType: String, Sendable {
    case text = "String"
    case uint8 = "UInt8"
    case uint16 = "UInt16"
    case uint32 = "UInt32"
    case uint64 = "UInt64"
    case int16 = "Int16"
    case int64 = "Int64"

    /// The size of a number in bytes.
    fileprivate var size: Int {
        switch self {
        case .text: 0
        case .uint8: 1
        case .uint16, .int16: 2
        case .uint32: 4
        case .uint64, .int64: 8
        }
    }
}

/// Parses the format RowBinary, in which texts may contain any bytes.
enum BinaryRows {
    /// Returns the rows of a result with these columns; nil if the bytes do not have this form.
    static func rows(in bytes: [UInt8], of columns: [ColumnType]) -> [[SQLValue]]? {
        var rows: [[SQLValue]] = []
        var offset = 0
        while offset < bytes.count {
            var row: [SQLValue] = []
            row.reserveCapacity(columns.count)
            for column in columns {
                guard let value = value(of: column, in: bytes, at: &offset) else { return nil }
                row.append(value)
            }
            rows.append(row)
        }
        return rows
    }

    private static func value(of type: ColumnType, in bytes: [UInt8], at offset: inout Int) -> SQLValue? {
        if type == .text {
            var (length, shift) = (0, 0)
            while true {
                guard offset < bytes.count, shift < 63 else { return nil }
                let byte = bytes[offset]
                offset += 1
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            guard length <= bytes.count - offset else { return nil }
            defer { offset += length }
            return .text(Array(bytes[offset..<offset + length]))
        }
        guard type.size <= bytes.count - offset else { return nil }
        var number: UInt64 = 0
        for index in (0..<type.size).reversed() { number = number << 8 | UInt64(bytes[offset + index]) }
        offset += type.size
        switch type {
        case .int16: return .number(Int(Int16(truncatingIfNeeded: number)))
        // All columns of this type are counts and positions.
        case .uint64: return .number(Int(clamping: number).clampedCount)
        default: return .number(Int(truncatingIfNeeded: number))
        }
    }
}

/// A block of rows in the format Native, column by column.
///
/// Its head has the number of rows. Therefore a block whose transfer broke off is an error for the server, never a part
/// of the rows, and a whole block becomes one part of a table: it is stored completely or not at all.
struct NativeBlock {
    private let names: [(name: String, type: ColumnType)]
    private var columns: [[UInt8]]
    /// The number of rows.
    private(set) var count = 0

    /// Creates an empty block of these columns.
    init(_ columns: [(name: String, type: ColumnType)]) {
        names = columns
        self.columns = Array(repeating: [], count: columns.count)
    }

    /// Appends bytes to the column at `index`.
    mutating func add(_ bytes: some Collection<UInt8>, to index: Int) {
        Self.append(bytes.count, to: &columns[index])
        columns[index] += bytes
    }

    /// Appends a number to the column at `index`.
    mutating func add(_ number: Int, to index: Int) {
        for byte in 0..<names[index].type.size {
            columns[index].append(UInt8(truncatingIfNeeded: number >> (8 * byte)))
        }
    }

    /// Ends a row, to which each column must have got a value.
    mutating func endRow() { count += 1 }

    /// The bytes of the block.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(columns.reduce(64 * columns.count) { $0 + $1.count })
        Self.append(names.count, to: &bytes)
        Self.append(count, to: &bytes)
        for (index, column) in names.enumerated() {
            for text in [column.name, column.type.rawValue] {
                Self.append(text.utf8.count, to: &bytes)
                bytes += text.utf8
            }
            bytes += columns[index]
        }
        return bytes
    }

    /// Appends a length with seven bits a byte.
    private static func append(_ length: Int, to bytes: inout [UInt8]) {
        var rest = length
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
