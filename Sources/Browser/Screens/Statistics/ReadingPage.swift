internal import Graphemes
public import Library
public import TerminalUI

/// The reader's statistics: the goal, the months as bars, and a calendar of the days. Months and calendar are side by
/// side if both fit.
public struct ReadingPage {
    private let charts: ReadingCharts
    /// The width of all, and that of one chart.
    private let width: Int
    private let columnWidth: Int
    private let hasTwoColumns: Bool

    private static let gapBetweenColumns = 4
    private static let maximumColumnWidth = 76
    /// The width of the names of weekdays before the calendar.
    private static let weekdayWidth = 4
    /// The minimum width of a bar; narrower ones are left out.
    private static let minimumBarWidth = 4
    private static let gap = 2
    private static let minimumGoalBarWidth = 10
    /// The signs of the levels, so that no level is told by its colour alone.
    public static let levelSigns = ["·", "░", "▒", "▓", "█"]

    /// Creates the page of `charts` with `width` columns of text.
    public init(_ charts: ReadingCharts, width: Int) {
        self.charts = charts
        let half = (width - Self.gapBetweenColumns) / 2
        hasTwoColumns = half >= Self.weekdayWidth + ReadingCalendar.weekCount
        columnWidth = hasTwoColumns ? min(Self.maximumColumnWidth, half) : max(1, width)
        self.width = hasTwoColumns ? 2 * columnWidth + Self.gapBetweenColumns : max(1, width)
    }

    /// Draws the page, as high as it needs.
    public func drawn() -> Canvas {
        let head = headLines
        let months = charts.hasCharts ? drawnMonths() : nil
        let calendar = charts.hasCharts ? drawnCalendar() : nil
        let heights = [months, calendar].compactMap { $0?.size.rows }
        let below = hasTwoColumns ? heights.max() ?? 0 : heights.reduce(0, +) + max(0, heights.count - 1)
        let start = head.count + 1 + (below > 0 ? 1 : 0)
        var canvas = Canvas(size: Size(rows: start + below, columns: width))
        Self.drawTitle(ReadingCharts.title, ReadingCharts.extent, width: width, on: &canvas)
        for (row, line) in head.enumerated() { draw(line, row: row + 1, on: &canvas) }
        if let months {
            canvas.draw(months, in: Rect(row: start, column: 0, height: months.size.rows, width: columnWidth))
        }
        if let calendar {
            let row = hasTwoColumns ? start : start + (months?.size.rows ?? 0) + 1
            let column = hasTwoColumns ? columnWidth + Self.gapBetweenColumns : 0
            canvas.draw(
                calendar, in: Rect(row: row, column: column, height: calendar.size.rows, width: columnWidth))
        }
        return canvas
    }

    /// Draws the title of a chart in the first row.
    private static func drawTitle(_ title: String, _ extent: String, width: Int, on canvas: inout Canvas) {
        var used = canvas.write(title, row: 0, column: 0, width: width, style: .strong)
        used += 1 + canvas.write(extent, row: 0, column: used + 1, width: width - used - 1, style: .secondary)
        if extent.isEmpty { used -= 1 }
        let rule = max(0, width - used - 1)
        canvas.write(String(repeating: "─", count: rule), row: 0, column: used + 1, width: rule, style: .line)
    }

    // MARK: - Goal

    /// A line below the title.
    private enum HeadLine {
        case goal(String, ReadingGoal)
        case text([Grapheme])
    }

    private var headLines: [HeadLine] {
        var lines: [HeadLine] = []
        if let text = charts.goalText, let goal = charts.goal { lines.append(.goal(text, goal)) }
        for text in [charts.paceText].compactMap(\.self) + charts.summary {
            lines += LineWrapper(text, width: width).map(HeadLine.text)
        }
        return lines
    }

    private func draw(_ line: HeadLine, row: Int, on canvas: inout Canvas) {
        switch line {
        case .text(let glyphs): canvas.write(glyphs, row: row, column: 0, width: width, style: .secondary)
        case .goal(let text, let goal):
            let used = canvas.write(text, row: row, column: 0, width: width)
            let share = goal.read.percentage(of: goal.target)
            let column = used + Self.gap
            let room = width - column - Self.gap - share.count
            guard room >= Self.minimumGoalBarWidth else { return }
            // The track shows how much is left.
            canvas.write(String(repeating: "·", count: room), row: row, column: column, width: room, style: .line)
            canvas.write(
                Bar.text(fraction: goal.fraction, width: room), row: row, column: column, width: room, style: .chart)
            canvas.write(share, row: row, column: column + room + Self.gap)
        }
    }

    // MARK: - Months

    private func drawnMonths() -> Canvas {
        let months = charts.months
        var canvas = Canvas(size: Size(rows: 2 + months.count, columns: columnWidth))
        Self.drawTitle(ReadingCharts.monthsTitle, "", width: columnWidth, on: &canvas)
        let labelWidth = months.map(\.label.count).max() ?? 0
        let (books, pages) = ("Books", "Pages")
        let bookWidth = max(books.count, months.map(\.books.grouped.count).max() ?? 0)
        let pageWidth = max(pages.count, months.map(\.shownPages.count).max() ?? 0)
        let bookEnd = labelWidth + Self.gap + bookWidth
        // What is left is divided between both bars.
        let room = columnWidth - bookEnd - 1 - Self.gap - pageWidth - 1
        let hasBars = room / 2 >= Self.minimumBarWidth
        let bookBar = hasBars ? room / 2 : 0
        let pageEnd = bookEnd + (hasBars ? 1 + bookBar : 0) + Self.gap + pageWidth
        let pageBar = hasBars ? columnWidth - pageEnd - 1 : 0
        func write(_ text: String, row: Int, end: Int, _ style: Style = .plain) {
            canvas.write(text, row: row, column: max(0, end - text.count), width: text.count, style: style)
        }
        write(books, row: 1, end: bookEnd, .secondary)
        write(pages, row: 1, end: pageEnd, .secondary)
        let (mostBooks, mostPages) = (months.map(\.books).reduce(1, max), months.map(\.pages).reduce(1, max))
        for (index, month) in months.enumerated() {
            let row = index + 2
            canvas.write(month.label, row: row, column: 0, width: columnWidth)
            write(month.books.grouped, row: row, end: bookEnd)
            write(month.shownPages, row: row, end: pageEnd)
            for (count, most, end, width) in [
                (month.books, mostBooks, bookEnd, bookBar), (month.pages, mostPages, pageEnd, pageBar),
            ] {
                canvas.write(
                    Bar.text(fraction: Double(count) / Double(most), width: width), row: row, column: end + 1,
                    width: width, style: .chart)
            }
        }
        return canvas
    }

    // MARK: - Calendar

    private func drawnCalendar() -> Canvas {
        let calendar = charts.calendar
        let room = columnWidth - Self.weekdayWidth
        let cellWidth = room >= 2 * ReadingCalendar.weekCount ? 2 : 1
        let weekCount = max(0, min(ReadingCalendar.weekCount, room / cellWidth))
        let firstWeek = ReadingCalendar.weekCount - weekCount
        let legend = legendLines
        var canvas = Canvas(size: Size(rows: 9 + legend.count, columns: columnWidth))
        Self.drawTitle(ReadingCharts.calendarTitle, "", width: columnWidth, on: &canvas)
        var end = 0
        for (week, month) in calendar.monthStarts where week >= firstWeek {
            let column = Self.weekdayWidth + (week - firstWeek) * cellWidth
            // The name of the first month gives way to that of the next one.
            let next = calendar.monthStarts.first { $0.week > week }?.week ?? .max
            let isCramped = next < .max && (next - week) * cellWidth < month.shortName.count + 1
            guard column >= end, !isCramped, column + month.shortName.count <= columnWidth else { continue }
            end = column + 1 + canvas.write(month.shortName, row: 1, column: column, style: .secondary)
        }
        for (weekday, name) in CalendarDay.weekdayNames.enumerated() {
            canvas.write(name, row: weekday + 2, column: 0, width: columnWidth, style: .secondary)
            for week in firstWeek..<ReadingCalendar.weekCount {
                guard let day = calendar.day(week: week, weekday: weekday) else { continue }
                let level = calendar.level(of: day)
                let sign = Self.levelSigns[level]
                canvas.write(
                    level == 0 ? sign : String(repeating: sign, count: cellWidth), row: weekday + 2,
                    column: Self.weekdayWidth + (week - firstWeek) * cellWidth, width: cellWidth,
                    style: Self.style(ofLevel: level))
            }
        }
        for (index, line) in legend.enumerated() {
            var column = 0
            for entry in line {
                column += canvas.write(
                    Self.levelSigns[entry.level], row: index + 9, column: column,
                    style: Self.style(ofLevel: entry.level))
                column += 1
                column += Self.gap + canvas.write(entry.pages, row: index + 9, column: column, style: .secondary)
            }
        }
        return canvas
    }

    private static func style(ofLevel level: Int) -> Style { level == 0 ? .line : .chart }

    /// The entries of the legend in lines of the width of the chart.
    private var legendLines: [[(level: Int, pages: String)]] {
        var lines: [[(level: Int, pages: String)]] = []
        var used = Int.max
        for entry in charts.calendar.legend {
            let length = 2 + entry.pages.count
            if used == .max || used + length > columnWidth {
                lines.append([])
                used = 0
            }
            lines[lines.count - 1].append(entry)
            used += length + Self.gap
        }
        return lines
    }
}
