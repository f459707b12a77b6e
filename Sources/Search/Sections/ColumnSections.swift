internal import Books
internal import Indexing

extension BookSections {
    /// Groups the books of `list` by the first value that each has in a column; those without one come last, and all do
    /// without a column. Linear in the list and the distinct values.
    init(
        of list: BookList, by field: BookField, _ column: FieldColumn?, isDescending: Bool, in index: BookIndex
    ) {
        let entryCount = column?.entryCount ?? 0
        // Sections are numbered in the order of the entries, several of which may share one.
        var sections = [UInt32](repeating: 0, count: entryCount)
        var count: UInt32 = 0
        var last: FieldColumn.Section?
        for entry in 0..<entryCount {
            guard let column, let value = column.values(ofEntry: entry).first else { continue }
            let section = column.section(ofValue: value, field)
            if section != last { count += 1 }
            (last, sections[entry]) = (section, count - 1)
        }
        let unknown = Int(count)
        let numbers = column?.numbers
        func section(of book: Int) -> Int {
            guard let numbers, book < numbers.count, numbers[book] > 0, Int(numbers[book]) <= entryCount else {
                return unknown
            }
            let section = Int(sections[Int(numbers[book]) - 1])
            return isDescending ? unknown - 1 - section : section
        }
        var ends = [Int](repeating: 0, count: unknown + 1)
        for row in 0..<list.count { ends[section(of: list[row].index)] += 1 }
        let hasUnknown = ends[unknown] > 0
        var starts: [Int] = []
        var total = 0
        for section in ends.indices where ends[section] > 0 {
            starts.append(total)
            (ends[section], total) = (total, total + ends[section])
        }
        var rows = [UInt32](repeating: 0, count: list.count)
        for row in 0..<list.count {
            let id = list[row]
            let section = section(of: id.index)
            rows[ends[section]] = id.number
            ends[section] += 1
        }
        self.init(
            key: .own(field), list: BookList(numbers: rows), starts: starts, hasUnknown: hasUnknown, index: index,
            order: .collated, statuses: UserStatusOverlay(), column: column)
    }
}

extension FieldColumn {
    /// The section of a value.
    enum Section: Equatable {
        case text(String)
        case number(Double)
        case range(Double, Double)
        case year(Int)
        case boolean(Bool)

        /// The heading.
        var title: String {
            switch self {
            case .text(let text): text
            case .number(let number): FieldValue.number(number).text
            case .range(let first, let last):
                "\(FieldValue.number(first).text)–\(FieldValue.number(last).text)"
            case .year(let year): PartialDate.name(ofYear: year)
            case .boolean(let isTrue): isTrue ? "Yes" : "No"
            }
        }
    }

    /// Returns the section of a value of a field: a date is in that of its year.
    func section(ofValue value: Int, _ field: BookField) -> Section {
        switch field.info.kind {
        case .number where valueCount > Self.fewNumbers: range(of: number(ofValue: value))
        case .number: .number(number(ofValue: value))
        case .date: .year(Int((number(ofValue: value) / 10_000).rounded(.down)))
        case .boolean: .boolean(number(ofValue: value) != 0)
        default: .text(spelling(ofValue: value))
        }
    }

    /// The number of distinct numbers up to which each has a section of its own.
    private static let fewNumbers = 30

    /// Returns the section of a number among many.
    private func range(of number: Double) -> Section {
        let (least, greatest) = (self.number(ofValue: 0), self.number(ofValue: valueCount - 1))
        let step = OwnStatistics.Numbers.step(for: (greatest - least) / 10)
        let start = ((number / step).rounded(.down) * step * 1e6).rounded() / 1e6
        return .range(start, ((start + step) * 1e6).rounded() / 1e6)
    }
}
