/// The apostrophe before a cell that a spreadsheet would otherwise run as a formula, such as `=HYPERLINK(...)`.
///
/// A reader removes one apostrophe wherever `isPresent` is true. Therefore a writer that does not guard formulas adds
/// one there, too: otherwise a text such as `'=x` would lose its own.
public enum FormulaGuard {
    /// Returns whether the cell begins with one or more apostrophes before a formula.
    @inlinable
    public static func isPresent(in cell: some Sequence<UInt8>) -> Bool {
        var hasApostrophe = false
        for byte in cell {
            if byte != UInt8(ascii: "'") { return hasApostrophe && beginsFormula(byte) }
            hasApostrophe = true
        }
        return false
    }

    /// Returns whether a writer must put an apostrophe before the cell.
    ///
    /// - Parameter guardsFormulas: Whether the writer guards formulas, and not only the apostrophes of cells.
    @inlinable
    public static func isNeeded(before cell: some Collection<UInt8>, guardsFormulas: Bool) -> Bool {
        guardsFormulas && cell.first.map(beginsFormula) == true || isPresent(in: cell)
    }

    /// Whether a cell with this first byte can be a formula; spreadsheets skip a tab and a line break before it (OWASP,
    /// CSV injection).
    @usableFromInline
    static func beginsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}
