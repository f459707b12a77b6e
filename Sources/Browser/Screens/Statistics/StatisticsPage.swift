internal import Books
internal import Graphemes
public import Library
public import TerminalUI

/// The charts of statistics, drawn in one or two columns.
public struct StatisticsPage {
    private let charts: StatisticsCharts
    private let reading: ReadingCharts?
    private let width: Int

    /// The minimum width of a page with two columns.
    private static let minimumTwoColumnWidth = 100
    /// The maximum width of a column: in a wider one, the eye loses the way from label to bar.
    private static let maximumColumnWidth = 76
    private static let gapBetweenColumns = 4
    private static let gap = 2
    /// The minimum width of a bar; percentages are omitted to make room for it.
    private static let minimumBarWidth = 10
    private static let shareWidth = 5

    /// Creates the page of `charts` with `width` columns of text.
    ///
    /// - Parameter reading: The reader's statistics, which come first, if there are any.
    public init(_ charts: StatisticsCharts, reading: ReadingCharts? = nil, width: Int) {
        self.charts = charts
        self.reading = reading
        self.width = max(1, width)
        hasTwoColumns = width >= Self.minimumTwoColumnWidth
        columnWidth = min(
            Self.maximumColumnWidth, hasTwoColumns ? (width - Self.gapBetweenColumns) / 2 : max(1, width))
        let rows = charts.charts.flatMap(\.rows)
        labelWidth = min(rows.map { $0.label.displayColumns }.max() ?? 0, max(1, columnWidth * 2 / 5))
        countWidth = rows.map(\.count.grouped.count).max() ?? 0
        let countEnd = labelWidth + Self.gap + countWidth
        let barStartAfterShares = countEnd + Self.gap + Self.shareWidth + Self.gap
        hasShares = columnWidth - barStartAfterShares >= Self.minimumBarWidth
        barColumn = hasShares ? barStartAfterShares : countEnd + Self.gap
    }

    private let hasTwoColumns: Bool
    private let columnWidth: Int
    /// The widths of labels and counts in all charts, so that they are aligned.
    private let labelWidth: Int
    private let countWidth: Int
    private let hasShares: Bool
    private let barColumn: Int

    /// A chart and its position.
    private struct PlacedChart {
        var chart: Chart
        var row: Int
        var column: Int
    }

    /// Draws the page, as high as it needs.
    ///
    /// - Parameter heading: The lines above the charts, drawn strong.
    public func drawn(heading: [String] = []) -> Canvas {
        let title = heading.flatMap { lines($0, width) }
        let summary =
            charts.bookCount == 0 ? lines(StatisticsCharts.emptySentence, width) : lines(charts.summary, width)
        let missing = charts.missing.map { lines($0, width) } ?? []
        let readingStart = title.count + summary.count + 1
        let drawnReading = reading.map { ReadingPage($0, width: width).drawn() }
        let firstRow = readingStart + (drawnReading.map { $0.size.rows + 1 } ?? 0)
        let (placedCharts, end) = placedCharts(from: firstRow)
        let rowCount = charts.bookCount == 0 ? firstRow - 1 : end + missing.count
        var canvas = Canvas(size: Size(rows: rowCount, columns: width))
        var row = 0
        for (texts, style) in [(title, Style.strong), (summary, .plain)] {
            for text in texts {
                canvas.write(text, row: row, column: 0, width: width, style: style)
                row += 1
            }
        }
        if let drawnReading {
            canvas.draw(
                drawnReading, in: Rect(row: readingStart, column: 0, height: drawnReading.size.rows, width: width))
        }
        for placedChart in placedCharts { draw(placedChart, on: &canvas) }
        for (number, text) in missing.enumerated() {
            canvas.write(text, row: end + number, column: 0, width: width, style: .secondary)
        }
        return canvas
    }

    private func placedCharts(from firstRow: Int) -> (placedCharts: [PlacedChart], end: Int) {
        let heights = charts.charts.map { height(of: $0) + 1 }
        let columns = hasTwoColumns ? ChartColumns.columns(forHeights: heights) : heights.map { _ in 0 }
        var ends = [firstRow, firstRow]
        var placedCharts: [PlacedChart] = []
        for (chart, column) in zip(charts.charts, columns) {
            placedCharts.append(
                PlacedChart(chart: chart, row: ends[column], column: column * (columnWidth + Self.gapBetweenColumns)))
            ends[column] += height(of: chart) + 1
        }
        return (placedCharts, ends.max() ?? firstRow)
    }

    private func height(of chart: Chart) -> Int {
        1 + summaryLines(of: chart).count + (chart.timeline == nil ? 0 : 1) + chart.rows.count
    }

    private func summaryLines(of chart: Chart) -> [[Grapheme]] {
        chart.summary.isEmpty ? [] : lines(chart.summary, columnWidth)
    }

    private func lines(_ text: String, _ width: Int) -> [[Grapheme]] { Array(LineWrapper(text, width: width)) }

    // MARK: - Charts

    private func draw(_ placedChart: PlacedChart, on canvas: inout Canvas) {
        let chart = placedChart.chart
        var row = placedChart.row
        drawTitle(of: chart, row: row, column: placedChart.column, on: &canvas)
        row += 1
        for line in summaryLines(of: chart) {
            canvas.write(line, row: row, column: placedChart.column, width: columnWidth, style: .secondary)
            row += 1
        }
        if let timeline = chart.timeline {
            draw(timeline, row: row, column: placedChart.column, on: &canvas)
            row += 1
        }
        for value in chart.rows {
            draw(value, of: chart, row: row, column: placedChart.column, on: &canvas)
            row += 1
        }
    }

    private func drawTitle(of chart: Chart, row: Int, column: Int, on canvas: inout Canvas) {
        var used = canvas.write(chart.title, row: row, column: column, width: columnWidth, style: .strong)
        if !chart.extent.isEmpty {
            used +=
                1
                + canvas.write(
                    chart.extent, row: row, column: column + used + 1, width: columnWidth - used - 1, style: .secondary)
        }
        let rule = max(0, columnWidth - used - 1)
        canvas.write(
            String(repeating: "─", count: rule), row: row, column: column + used + 1, width: rule, style: .line)
    }

    private func draw(_ timeline: Chart.Timeline, row: Int, column: Int, on canvas: inout Canvas) {
        let first = PartialDate.name(ofYear: timeline.range.lowerBound)
        let last = PartialDate.name(ofYear: timeline.range.upperBound)
        let room = columnWidth - first.count - last.count - 2
        guard room > 0 else { return }
        let line = Bar.sparkline(timeline.counts(limit: room))
        canvas.write(first, row: row, column: column, style: .secondary)
        canvas.write(line, row: row, column: column + first.count + 1, width: room, style: .chart)
        canvas.write(last, row: row, column: column + first.count + 2 + line.count, style: .secondary)
    }

    private func draw(_ value: Chart.Row, of chart: Chart, row: Int, column: Int, on canvas: inout Canvas) {
        let style: Style = value.isRest ? .secondary : .plain
        canvas.write(value.label, row: row, column: column, width: labelWidth, style: style)
        var end = column + labelWidth + Self.gap + countWidth
        func writeRight(_ text: String) {
            canvas.write(text, row: row, column: end - text.count, width: text.count, style: style)
        }
        writeRight(value.count.grouped)
        if hasShares {
            end += Self.gap + Self.shareWidth
            writeRight(value.count.percentage(of: charts.bookCount))
        }
        let width = columnWidth - barColumn
        canvas.write(
            Bar.text(fraction: chart.fraction(of: value), width: width), row: row, column: column + barColumn,
            width: max(0, width), style: .chart)
    }
}

extension StatisticsCharts {
    /// Returns the charts in words, with a line for each value, after those of the reader, if there are any.
    func spoken(after reading: ReadingCharts?) -> [String] {
        let reading = reading?.spoken ?? []
        if bookCount == 0 { return [Self.emptySentence] + reading }
        let lines = charts.flatMap { chart in
            [chart.title + (chart.extent.isEmpty ? "" : ", " + chart.extent), chart.summary]
                + chart.rows.map { "\($0.label): \($0.count.grouped), \($0.count.percentage(of: bookCount))" }
        }
        return ([summary] + reading + lines + [missing ?? ""]).filter { !$0.isEmpty }.map(\.sanitized)
    }
}
