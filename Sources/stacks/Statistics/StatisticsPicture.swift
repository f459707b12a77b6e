internal import Books
internal import Browser
internal import Library

/// The statistics charts as a self-contained SVG 1.1 picture in two columns, light or dark like the viewer's colour
/// scheme.
struct StatisticsPicture {
    private let charts: StatisticsCharts
    private let reading: ReadingCharts?
    private let title: String

    // The unit of length is the SVG user unit, a CSS pixel.
    private static let width = 960
    private static let margin = 40
    private static let columnWidth = 416
    private static let gapBetweenColumns = 48
    private static let rowHeight = 21
    private static let titleHeight = 34
    private static let timelineHeight = 52
    private static let gapBetweenCharts = 26
    /// The x offsets within a column of the right edges of count and share, and of the start of bars.
    private static let countEnd = 216
    private static let shareEnd = 272
    private static let barStart = 288
    /// The widths of labels and lines in terminal columns, which approximate the width of characters.
    private static let labelColumns = 22
    private static let lineColumns = 60
    private static let pageColumns = 120

    /// Creates the picture of `charts` below `title`.
    ///
    /// - Parameter reading: The reader's statistics, which come first, if there are any.
    init(_ charts: StatisticsCharts, reading: ReadingCharts? = nil, title: String) {
        self.charts = charts
        self.reading = reading
        self.title = title
    }

    /// The SVG document in UTF-8.
    var text: String {
        var body: [String] = []
        var y = Self.margin + 24
        body.append(SVGText.words(SVGText.cut(title, Self.pageColumns / 2), "title", x: Self.margin, y: y))
        y += 28
        let summary = charts.bookCount == 0 ? StatisticsCharts.emptySentence : charts.summary
        for line in SVGText.lines(summary, Self.pageColumns) {
            body.append(SVGText.words(line, "soft", x: Self.margin, y: y))
            y += Self.rowHeight
        }
        y += 20
        if let reading {
            let drawn = ReadingPicture(reading).drawn(x: Self.margin, y: y, width: Self.width - 2 * Self.margin)
            body.append(drawn.text)
            y += drawn.height + Self.gapBetweenCharts
        }
        let columns = ChartColumns.columns(
            forHeights: charts.charts.map { drawn($0, x: 0, y: 0).height + Self.gapBetweenCharts })
        var ends = [y, y]
        for (chart, column) in zip(charts.charts, columns) {
            let x = Self.margin + column * (Self.columnWidth + Self.gapBetweenColumns)
            let drawn = self.drawn(chart, x: x, y: ends[column])
            body.append(drawn.text)
            ends[column] += drawn.height + Self.gapBetweenCharts
        }
        y = ends.max() ?? y
        for line in charts.missing.map({ SVGText.lines($0, Self.pageColumns) }) ?? [] {
            body.append(SVGText.words(line, "soft", x: Self.margin, y: y))
            y += Self.rowHeight
        }
        let size = "width=\"\(Self.width)\" height=\"\(y + 16)\" viewBox=\"0 0 \(Self.width) \(y + 16)\""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" \(size) role="img" \
            font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif" font-size="13">
            <title>\(SVGText.escaped("Statistics of \(title)"))</title>
            <desc>\(SVGText.escaped(description))</desc>
            \(Self.styles)
            <rect class="ground" width="100%" height="100%"/>
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    /// The summaries, for those who do not see the picture.
    private var description: String {
        let reading = reading.map { [$0.goalText, $0.paceText].compactMap(\.self) + $0.summary } ?? []
        return ([charts.summary] + reading).joined(separator: ". ")
    }

    /// The style sheet. Each pair of colours has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
    private static let styles = """
        <style>
        .ground { fill: #ffffff }
        text { fill: #1f2328; font-variant-numeric: tabular-nums }
        .soft { fill: #59636e }
        .title { font-size: 24px; font-weight: 600 }
        .head { font-size: 15px; font-weight: 600 }
        .rule { fill: #d1d9e0 }
        .bar { fill: #2a6aa8 }
        .cell { fill: #eef1f4 }
        @media (prefers-color-scheme: dark) {
        .ground { fill: #15181c }
        text { fill: #e6e8eb }
        .soft { fill: #a0a8b1 }
        .rule { fill: #363c44 }
        .bar { fill: #6fa8dc }
        .cell { fill: #22272e }
        }
        </style>
        """

    // MARK: - Charts

    private func drawn(_ chart: Chart, x: Int, y: Int) -> (text: String, height: Int) {
        var parts = [SVGText.words(chart.title, "head", x: x, y: y + 12)]
        if !chart.extent.isEmpty {
            parts.append(SVGText.words(chart.extent, "soft", x: x + Self.columnWidth, y: y + 12, isRightAligned: true))
        }
        parts.append("<rect class=\"rule\" x=\"\(x)\" y=\"\(y + 20)\" width=\"\(Self.columnWidth)\" height=\"1\"/>")
        var top = y + Self.titleHeight
        func addLine(_ line: String) {
            parts.append(SVGText.words(line, "soft", x: x, y: top + 8))
            top += Self.rowHeight
        }
        if !chart.summary.isEmpty {
            SVGText.lines(chart.summary, Self.lineColumns).forEach(addLine)
            top += 5
        }
        if let timeline = chart.timeline {
            parts.append(drawn(timeline, x: x, y: top - 4))
            top += Self.timelineHeight
        }
        for row in chart.rows {
            parts.append(drawn(row, of: chart, x: x, y: top + 8))
            top += Self.rowHeight
        }
        return ("<g>\n" + parts.joined(separator: "\n") + "\n</g>", top - y)
    }

    private func drawn(_ row: Chart.Row, of chart: Chart, x: Int, y: Int) -> String {
        let tone = row.isRest ? "soft" : ""
        let share = row.count.percentage(of: charts.bookCount)
        let length = Double(Self.columnWidth - Self.barStart) * chart.fraction(of: row)
        var parts = [
            SVGText.words(SVGText.cut(row.label, Self.labelColumns), tone, x: x, y: y),
            SVGText.words(row.count.grouped, tone, x: x + Self.countEnd, y: y, isRightAligned: true),
            SVGText.words(share, "soft", x: x + Self.shareEnd, y: y, isRightAligned: true),
        ]
        if length > 0 {
            let width = SVGText.shown(max(1, length))
            parts.append(
                "<rect class=\"bar\" x=\"\(x + Self.barStart)\" y=\"\(y - 10)\" width=\"\(width)\" height=\"11\" rx=\"2\"/>"
            )
        }
        // The tooltip shows the full label.
        let whole = SVGText.escaped("\(row.label): \(row.count.grouped), \(share)")
        return "<g><title>\(whole)</title>\(parts.joined())</g>"
    }

    /// Returns a timeline as an area, with its first and last year below.
    private func drawn(_ timeline: Chart.Timeline, x: Int, y: Int) -> String {
        let counts = timeline.counts(limit: Self.columnWidth / 3)
        let greatest = Double(counts.reduce(1, max))
        let height = Double(Self.timelineHeight - 26)
        let step = Double(Self.columnWidth) / Double(max(1, counts.count))
        let bars = counts.enumerated().filter { $0.element > 0 }.map { index, count in
            let length = max(1, Double(count) / greatest * height)
            let left = Double(x) + Double(index) * step
            return
                "M\(SVGText.shown(left)) \(SVGText.shown(Double(y) + height))v\(SVGText.shown(-length))h\(SVGText.shown(max(1, step - 0.5)))v\(SVGText.shown(length))z"
        }
        let below = y + Self.timelineHeight - 12
        let first = PartialDate.name(ofYear: timeline.range.lowerBound)
        let last = PartialDate.name(ofYear: timeline.range.upperBound)
        return "<path class=\"bar\" d=\"\(bars.joined())\"/>" + SVGText.words(first, "soft", x: x, y: below)
            + SVGText.words(last, "soft", x: x + Self.columnWidth, y: below, isRightAligned: true)
    }
}
