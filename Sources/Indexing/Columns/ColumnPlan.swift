internal import Text

/// What the raw value of a field means.
public enum ColumnMeaning: Sendable {
    /// There is no value.
    case nothing
    case text(String)
    case number(Double)
}

/// How a column is made from the values of books.
public struct ColumnPlan: Sendable {
    /// The layout of its table.
    let layout: ColumnTable.Layout
    /// Returns what a raw value means; nil if raw values are normalized names in memory that outlives the work.
    let meaning: (@Sendable (UnsafeBufferPointer<UInt8>) -> ColumnMeaning)?
    /// Whether a JSON string without escapes is its own text, unless it is blank.
    let readsStrings: Bool

    /// Creates a plan for the values of records.
    ///
    /// - Parameters:
    ///   - readsStrings: Whether a JSON string without escapes is its own text, unless it is blank or longer than
    ///     `FieldColumn.longestText`; then `meaning` is not asked.
    ///   - meaning: Returns what the JSON of a value means. Called once for each spelling.
    public init(
        _ kind: FieldColumn.Kind, isList: Bool, readsStrings: Bool,
        meaning: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> ColumnMeaning
    ) {
        layout = ColumnTable.Layout(kind: kind, isList: isList, isCollated: kind == .text)
        (self.meaning, self.readsStrings) = (meaning, readsStrings)
    }

    /// Creates a plan for normalized names in memory that outlives the work.
    init(namesInLists isList: Bool) {
        layout = ColumnTable.Layout(kind: .text, isList: isList, isCollated: false)
        (meaning, readsStrings) = (nil, false)
    }
}

/// Takes the values of books for a column, on one thread.
public final class ColumnCollector {
    /// The values, by their numbers.
    let values: TextNumbers
    /// The combinations of several values, as the bytes of their numbers, if the field is a list.
    let entries: TextNumbers?
    private let numbers: UnsafeMutablePointer<UInt32>?
    private var book: UInt32 = 0
    private var found: [UInt32] = []

    /// Precede a text and the bits of a number, which are not JSON.
    static let (textMark, numberMark) = (UInt8(1), UInt8(2))

    init(_ plan: ColumnPlan, into numbers: UnsafeMutableBufferPointer<UInt32>) {
        values = TextNumbers(copyingTexts: plan.meaning != nil)
        entries = plan.layout.isList ? TextNumbers(copyingTexts: true) : nil
        self.numbers = numbers.baseAddress
    }

    /// Begins with the values of a book.
    public func begin(_ book: Int) {
        self.book = UInt32(truncatingIfNeeded: book)
        found.removeAll(keepingCapacity: true)
    }

    /// Adds a raw value of the book; only the first one counts if the field is no list.
    public func add(_ raw: UnsafeBufferPointer<UInt8>) {
        if entries != nil || found.isEmpty { found.append(values.number(of: raw, in: book)) }
    }

    /// Adds a text of the book.
    public func add(_ text: String) {
        let bytes = [Self.textMark] + text.cutForColumn.utf8
        bytes.withUnsafeBufferPointer(add)
    }

    /// Adds a number of the book.
    public func add(_ number: Double) {
        let bytes = [Self.numberMark] + withUnsafeBytes(of: number.bitPattern) { Array($0) }
        bytes.withUnsafeBufferPointer(add)
    }

    /// Ends with the values of the book.
    public func end() {
        guard let numbers else { return }
        if found.isEmpty {
            numbers[Int(book)] = 0
        } else if let entries {
            if found.count == 1 {
                // Most lists have one value, which needs no combination.
                values.setAlone(found[0])
                numbers[Int(book)] = (found[0] + 1) << 1
            } else {
                let number = found.withUnsafeBytes { entries.number(of: $0.bindMemory(to: UInt8.self), in: book) }
                numbers[Int(book)] = (number + 1) << 1 | 1
            }
        } else {
            numbers[Int(book)] = found[0] + 1
        }
    }
}

extension String {
    /// The beginning of the text that a column keeps.
    var cutForColumn: String {
        if utf8.count <= FieldColumn.longestText { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: FieldColumn.longestText)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}

/// The normalized form of a text in a column, with the key of its order.
struct ColumnText: ~Copyable {
    /// The normalized form.
    private(set) var folded = ByteBuffer()
    /// The collation key.
    private(set) var key = ByteBuffer()

    /// Reads a text.
    mutating func read(_ text: String) {
        (folded.count, key.count) = (0, 0)
        let text = text.cutForColumn
        folded.append(folding: text)
        if folded.count == 0 {
            for byte in text.utf8 {
                // Pictures of control characters, U+2400 and the following: a line feed ends a value.
                if byte < 0x20 {
                    for unit in [0xE2, 0x90, 0x80 + byte] { folded.append(unit) }
                } else {
                    folded.append(byte)
                }
            }
        }
        Collation.append(UnsafeBufferPointer(folded.bytes), to: &key)
    }

    /// Reads a text in UTF-8.
    ///
    /// - Returns: False if nothing remains of it by normalization, or it is not valid.
    mutating func read(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        (folded.count, key.count) = (0, 0)
        guard folded.append(folding: text), folded.count > 0 else { return false }
        Collation.append(UnsafeBufferPointer(folded.bytes), to: &key)
        return true
    }
}
