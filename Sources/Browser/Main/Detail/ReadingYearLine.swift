internal import Books
public import Library
internal import TerminalUI

/// The books of this year and its months in one line: "THIS YEAR  14 of 30 read   Jan ▂ Feb ▅ Mar ▇ Apr ▃".
public struct ReadingYearLine: Hashable, Sendable {
    /// The beginning of the line.
    public static let label = "THIS YEAR"

    private let count: String
    private let blocks: [(name: String, block: Character)]

    /// Creates the line; nil if nothing was read this year and there is no goal.
    ///
    /// - Parameter target: The number of books to read this year, if the reader has set one.
    public init?(_ statistics: ReadingStatistics, target: Int?) {
        let today = statistics.today
        let read = statistics.books(inYear: today.year)
        if read == 0 && target == nil { return nil }
        count = target.map { "\(read.grouped) of \($0.grouped) read" } ?? "\(read.of("book")) read"
        let months = (0..<today.month.month).map { CalendarMonth(year: today.year, month: 1) + $0 }
        let counts = months.map(statistics.books(in:))
        blocks = zip(months, zip(counts, Bar.sparkline(counts))).map { month, bar in
            (month.shortName, bar.0 == 0 ? "·" : bar.1)
        }
    }

    /// Returns the line in at most `width` columns, with the names of the months if they fit, else only of the first and
    /// the last one, else without months, else without the label; "" if nothing fits.
    public func text(width: Int) -> String {
        let start = Self.label + "  " + count
        let bars = String(blocks.map(\.block))
        let ends = blocks.count > 1 ? "\(blocks[0].name) \(bars) \(blocks[blocks.count - 1].name)" : ""
        let forms = [
            start + "   " + blocks.map { "\($0.name) \($0.block)" }.joined(separator: " "), start + "   " + ends, start,
            count,
        ]
        return forms.first { $0.count <= width && !$0.hasSuffix(" ") } ?? ""
    }

    /// Returns whether both show the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.blocks.elementsEqual(right.blocks, by: ==)
    }

    /// Hashes the number of books.
    public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension ReadingYearLine {
    /// Returns the line in the preview of a list, which is the same for all lists; none if there are neither readings of
    /// this year nor a goal, or while they are counted.
    static func previewLines(of subject: PreviewSubject) -> [PreviewLine] {
        guard let text = subject.session.readingYearLine?.text(width: subject.width), !text.isEmpty else { return [] }
        guard text.hasPrefix(label) else { return [PreviewLine(text)] }
        // A blank is between two pieces.
        return [
            PreviewLine([.init(text: label, style: .strong), .init(text: String(text.dropFirst(label.count + 1)))])
        ]
    }
}
