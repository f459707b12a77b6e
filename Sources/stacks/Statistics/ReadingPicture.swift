internal import Library

/// The reader's statistics as part of an SVG picture: the goal, the months as bars and a calendar of the days, whose
/// squares grow with the level, so that no level is told by its colour alone.
struct ReadingPicture {
    private let charts: ReadingCharts

    // The unit of length is the SVG user unit, a CSS pixel.
    private static let rowHeight = 21
    private static let titleHeight = 34
    private static let gapBetweenColumns = 48
    private static let gapBetweenCharts = 22
    /// The x offsets within a column of the right edge of a count and of the start of its bar.
    private static let countEnd = 140
    private static let barStart = 156
    private static let barHeight = 11
    /// The distance between two days, the length of a day's side, and of the squares of the levels.
    private static let pitch = 15
    private static let side = 13
    private static let levelSides = [0, 5, 8, 11, 13]
    private static let weekdayWidth = 40

    /// Creates the picture of `charts`.
    init(_ charts: ReadingCharts) { self.charts = charts }

    /// Returns the SVG elements of the charts, from `y` downwards, and their height.
    func drawn(x: Int, y: Int, width: Int) -> (text: String, height: Int) {
        var parts = title(ReadingCharts.title, ReadingCharts.extent, x: x, y: y, width: width)
        var top = y + Self.titleHeight
        if let goalText = charts.goalText, let goal = charts.goal {
            let share = goal.read.percentage(of: goal.target)
            let start = x + 240
            let length = width - 240 - 60
            let bar = SVGText.shown(Double(length) * goal.fraction)
            parts.append(
                "<g><title>\(SVGText.escaped("Goal: \(goalText), \(share)"))</title>"
                    + SVGText.words(goalText, "", x: x, y: top + 8)
                    + rect("rule", x: start, y: top - 2, width: "\(length)", height: Self.barHeight)
                    + rect("bar", x: start, y: top - 2, width: bar, height: Self.barHeight)
                    + SVGText.words(share, "soft", x: x + width, y: top + 8, isRightAligned: true) + "</g>")
            top += Self.rowHeight
        }
        for text in [charts.paceText].compactMap(\.self) + charts.summary {
            for line in SVGText.lines(text, 120) {
                parts.append(SVGText.words(line, "soft", x: x, y: top + 8))
                top += Self.rowHeight
            }
        }
        if charts.hasCharts {
            top += 12
            let column = (width - Self.gapBetweenColumns) / 2
            parts += months("Books a month", \.books, x: x, y: top, width: column) { month in
                (month.books.grouped, month.books.of("book"))
            }
            parts += months("Pages a month", \.pages, x: x + column + Self.gapBetweenColumns, y: top, width: column) {
                ($0.shownPages, $0.pagesInWords)
            }
            top += Self.titleHeight + charts.months.count * Self.rowHeight + Self.gapBetweenCharts
            let calendar = calendar(x: x, y: top, width: width)
            parts += calendar.parts
            top += calendar.height
        }
        return ("<g>\n" + parts.joined(separator: "\n") + "\n</g>", top - y)
    }

    private func title(_ title: String, _ extent: String, x: Int, y: Int, width: Int) -> [String] {
        [
            SVGText.words(title, "head", x: x, y: y + 12),
            extent.isEmpty ? "" : SVGText.words(extent, "soft", x: x + width, y: y + 12, isRightAligned: true),
            "<rect class=\"rule\" x=\"\(x)\" y=\"\(y + 20)\" width=\"\(width)\" height=\"1\"/>",
        ].filter { !$0.isEmpty }
    }

    private func rect(_ style: String, x: Int, y: Int, width: String, height: Int) -> String {
        "<rect class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"2\"/>"
    }

    private func months(
        _ title: String, _ count: (ReadingCharts.Month) -> Int, x: Int, y: Int, width: Int,
        texts: (ReadingCharts.Month) -> (number: String, words: String)
    ) -> [String] {
        var parts = self.title(title, "", x: x, y: y, width: width)
        let most = charts.months.map(count).reduce(1, max)
        for (index, month) in charts.months.enumerated() {
            let baseline = y + Self.titleHeight + index * Self.rowHeight + 8
            let number = count(month)
            let text = texts(month)
            let length = Double(width - Self.barStart) * Double(number) / Double(most)
            let bar =
                number == 0
                ? ""
                : rect(
                    "bar", x: x + Self.barStart, y: baseline - 10, width: SVGText.shown(max(1, length)),
                    height: Self.barHeight)
            parts.append(
                "<g><title>\(SVGText.escaped("\(month.month.shown): \(text.words)"))</title>"
                    + SVGText.words(month.label, "", x: x, y: baseline)
                    + SVGText.words(text.number, "", x: x + Self.countEnd, y: baseline, isRightAligned: true) + bar
                    + "</g>")
        }
        return parts
    }

    // MARK: - Calendar

    private func calendar(x: Int, y: Int, width: Int) -> (parts: [String], height: Int) {
        let calendar = charts.calendar
        var parts = title(
            "Days of reading", "\(calendar.first.shown) to \(calendar.last.shown)", x: x, y: y, width: width)
        let left = x + Self.weekdayWidth
        let top = y + Self.titleHeight + 14
        let starts = calendar.monthStarts
        for (index, start) in starts.enumerated() {
            // The name of the first month gives way to that of the next one.
            if index == 0, starts.count > 1, starts[1].week < 3 { continue }
            parts.append(
                SVGText.words(start.month.shortName, "soft", x: left + start.week * Self.pitch, y: top - 6))
        }
        for (weekday, name) in CalendarDay.weekdayNames.enumerated() {
            parts.append(SVGText.words(name, "soft", x: x, y: top + weekday * Self.pitch + 11))
        }
        for week in 0..<ReadingCalendar.weekCount {
            for weekday in 0..<7 {
                guard let day = calendar.day(week: week, weekday: weekday) else { continue }
                parts.append(
                    square(
                        calendar.level(of: day), title(of: day), x: left + week * Self.pitch,
                        y: top + weekday * Self.pitch))
            }
        }
        var column = left
        let below = top + 7 * Self.pitch + 12
        for entry in calendar.legend {
            parts.append(square(entry.level, nil, x: column, y: below))
            parts.append(SVGText.words(entry.pages, "soft", x: column + Self.side + 6, y: below + 11))
            column += Self.side + 6 + entry.pages.count * 8 + 16
        }
        return (parts, below + Self.side + 4 - y)
    }

    private func title(of day: CalendarDay) -> String {
        let pages = charts.calendar.pages(on: day)
        if pages > 0 { return "\(day.shown): \(ReadingCalendar.whole(pages).of("page"))" }
        return "\(day.shown): \(charts.calendar.level(of: day) > 0 ? "read, pages unknown" : "nothing")"
    }

    private func square(_ level: Int, _ title: String?, x: Int, y: Int) -> String {
        let side = Self.levelSides[level]
        let inset = (Self.side - side) / 2
        let ground = rect("cell", x: x, y: y, width: "\(Self.side)", height: Self.side)
        let inner = side == 0 ? "" : rect("bar", x: x + inset, y: y + inset, width: "\(side)", height: side)
        return "<g>" + (title.map { "<title>\(SVGText.escaped($0))</title>" } ?? "") + ground + inner + "</g>"
    }
}
