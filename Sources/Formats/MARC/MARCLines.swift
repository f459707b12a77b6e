/// Records of MARC 21 in the lines that librarians read, with an empty line between records:
/// "245 10 $a Emma / $c Jane Austen."
public struct MARCLines: BookFormatter {
    /// False: records of MARC have no place for user data.
    public let needsUserData = false
    /// True: records are shown as they came.
    public let needsRecords = true
    private var isFirst = true

    /// Creates a formatter.
    public init() {}

    /// Appends the lines of a book.
    public mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        if !isFirst { text.append(0x0A) }
        isFirst = false
        for (label, content) in printed.marcFields {
            // Control fields have blanks in the place of indicators.
            let gap = label == "LDR" || label.count > 3 ? " " : "     "
            text += (label + gap + content + "\n").utf8
        }
    }
}
