internal import Graphemes
internal import Library
internal import TerminalUI

/// The guide: its index and its pages, with links between them.
///
/// The links are numbered. On the index, moving goes from link to link; elsewhere it scrolls.
final class GuideScreen: FilterableScreen {
    /// Opens the screen.
    static let opener = ScreenOpener(context: .guide) { GuideScreen($0.session) }

    let context = CommandContext.guide
    let placement = Placement.body
    private(set) var filter = ""
    // The page is too long to be read out after every key; Enter prints it.
    let isSpokenWhileFiltering = false
    private let view = TextView()
    private let session: Session
    private let folder: GuideFolder
    /// The page, and its text at the width of the window.
    private var page: GuidePage
    private var text: GuideText
    /// The number of the selected link, if any.
    private var selected: Int?
    /// Whether the last command selected a link, which is then read out.
    private var hasJustSelected = false
    /// The name of the heading that was opened, whose section is read out instead of the page.
    private var section: String?
    /// The pages from which this one was reached, the latest last.
    private var earlier: [Place] = []

    /// A page as it was left.
    private struct Place {
        var page: GuidePage
        var selected: Int?
        var top: Top
    }

    /// The first visible line: a paragraph, and the lines of it that are above the window.
    private struct Top {
        var place: GuideText.Place
        var lineCount: Int
    }

    /// Opens the index. Returns nil and shows a message if the guide is not installed.
    init?(_ session: Session) {
        guard let path = session.services.guide(),
            case let folder = GuideFolder(path: path), let page = folder.page(named: GuideFolder.index)
        else {
            session.status.say(.guideMissing)
            return nil
        }
        self.session = session
        self.folder = folder
        self.page = page
        text = GuideText(page.page, width: 0)
        view.labelStyle = .strong
        arrange()
        selectFirstOfIndex()
    }

    // MARK: - Screen

    func heading(_ app: App) -> Heading {
        let index = text.links.firstIndex { $0.link.number == selected }
        let position =
            page.isIndex && !text.links.isEmpty
            ? "\(index.map { $0 + 1 } ?? 0)/\(text.links.count)" : view.positionText
        return Heading(title: filter.isEmpty ? page.title : page.title + " / " + filter, position: position)
    }

    func layout(in area: Rect, _ app: App) {
        let isOtherWidth = area.textFrame.width != view.frame.width
        let before = isOtherWidth ? top : nil
        view.frame = area.textFrame
        if let before {
            arrange()
            scroll(to: before)
        }
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        view.draw(on: &canvas)
        guard selected != nil, let line = view.highlightedLine,
            (view.topLine..<view.topLine + view.frame.height).contains(line)
        else {
            return Position(row: view.frame.row, column: view.frame.column)
        }
        // The bar of a current row, so that no selection is told by its colour alone.
        let position = Position(row: view.frame.row + line - view.topLine, column: view.frame.column - 1)
        canvas.write("▌", row: position.row, column: position.column)
        return position
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        let mayBeClosed = request.command == .back || request.command == .cancel
        if mayBeClosed, filter.isEmpty, earlier.isEmpty { return .ignored }
        hasJustSelected = false
        switch request.command {
        case .move(let motion): move(motion, request.count)
        case .link(.next): select(by: request.count ?? 1)
        case .link(.previous): select(by: -(request.count ?? 1))
        case .open: openLink(request.count ?? selected)
        case .search: app.push(FilterBar(self))
        case .back, .cancel: if filter.isEmpty { goBack() } else { show(matching: "") }
        case .guide where !page.isIndex: open(folder.page(named: GuideFolder.index) ?? page)
        default: return .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .move(.down): view.isScrollable || page.isIndex
        case .open: selected != nil
        case .link: !text.links.isEmpty
        default: true
        }
    }

    func point(_ mouse: Mouse, _ app: App) -> Response {
        hasJustSelected = false
        if let rows = mouse.wheelRows {
            view.scroll(by: rows)
        } else if case .press = mouse.action, let index = link(at: mouse.position) {
            // The second press of a double click opens it, as in lists.
            if text.links[index].link.number == selected { openLink(selected) } else { select(at: index) }
        }
        return .done
    }

    func spoken(_ app: App) -> Spoken {
        let link = text.links.first { $0.link.number == selected }
        let line = hasJustSelected ? link.map { "\($0.text), link \($0.link.number)".sanitized } : nil
        return Spoken(
            place: context, heading: heading(app).title,
            content: .text(
                text.spoken(ofSection: section), topLine: line ?? view.textOfTopLine, speaksChangesOnly: false))
    }

    // MARK: - Text

    /// Shows the parts of the page that contain all words of `text`.
    func show(matching text: String) {
        filter = text
        section = nil
        arrange()
        view.scrollToTop()
        if selected.map({ number in !self.text.links.contains { $0.link.number == number } }) == true { selected = nil }
        selectFirstOfIndex()
    }

    /// Makes the paragraphs for the page, the filter and the width.
    private func arrange() {
        text = GuideText(page.page, width: view.frame.width, matching: FilterWords(filter))
        highlight()
    }

    /// Shows the paragraphs with the selected link highlighted.
    private func highlight() {
        var paragraphs = text.paragraphs
        for link in text.links where link.link.number == selected {
            paragraphs[link.paragraph].highlights = [link.link.range]
        }
        view.paragraphs = paragraphs.isEmpty ? [.init(Message.noMatch.text(), style: .secondary)] : paragraphs
    }

    // MARK: - Links

    private func selectFirstOfIndex() {
        if page.isIndex && selected == nil { selected = text.links.first?.link.number }
        highlight()
    }

    private func move(_ motion: Command.Motion, _ count: Int?) {
        guard page.isIndex, !text.links.isEmpty else { return motion.apply(to: view, count: count) }
        switch motion {
        case .down: select(by: count ?? 1)
        case .up: select(by: -(count ?? 1))
        case .top:
            view.scrollToTop()
            select(at: (count ?? 1) - 1)
        case .end: select(at: (count ?? .max) - 1)
        default: motion.apply(to: view, count: count)
        }
    }

    /// Selects the link `step` links further; if the selected one is not visible, the first or last one that is.
    private func select(by step: Int) {
        let lines = text.links.map { view.line(ofParagraph: $0.paragraph) ?? 0 }
        let visible = view.topLine..<view.topLine + max(1, view.frame.height)
        if let index = text.links.firstIndex(where: { $0.link.number == selected }),
            page.isIndex || visible.contains(view.highlightedLine ?? 0)
        {
            select(at: index.addingReportingOverflow(step).overflow ? text.links.count : index + step)
        } else if step > 0 {
            select(at: lines.firstIndex { $0 >= visible.lowerBound } ?? lines.count - 1)
        } else {
            select(at: lines.lastIndex { $0 < visible.upperBound } ?? 0)
        }
    }

    /// Selects a link by its place among all, or the nearest one, and makes it visible.
    private func select(at index: Int) {
        guard !text.links.isEmpty else { return }
        selected = text.links[max(0, min(text.links.count - 1, index))].link.number
        hasJustSelected = true
        highlight()
        if let line = view.highlightedLine { view.reveal(line: line) }
    }

    /// Returns the place among all links of the one that is drawn at `position`; nil if there is none.
    private func link(at position: Position) -> Int? {
        guard view.frame.contains(position) else { return nil }
        let line = view.topLine + position.row - view.frame.row
        defer { highlight() }
        return text.links.indices.first { (index: Int) -> Bool in
            let placed = text.links[index]
            let next = view.line(ofParagraph: placed.paragraph + 1) ?? .max
            guard let first = view.line(ofParagraph: placed.paragraph), (first..<next).contains(line) else {
                return false
            }
            // Only drawing knows where a wrapped text is.
            view.paragraphs = text.paragraphs
            view.paragraphs[placed.paragraph].highlights = [placed.link.range]
            var canvas = Canvas(size: Size(rows: view.frame.endRow, columns: view.frame.endColumn))
            view.draw(on: &canvas)
            return canvas[position.row, position.column].style.isHighlighted
        }
    }

    /// Opens the link with `number`: another page, a heading, or a page on the web.
    private func openLink(_ number: Int?) {
        guard let number else { return session.status.say(.noLinkSelected, session.keyLabel(of: .link(.next))) }
        guard let placed = text.links.first(where: { $0.link.number == number }) else {
            return session.status.say(.noLinkOfPage, String(number), text.links.count.of("link"))
        }
        let target = placed.link.target
        if let web = WebLink(target) { return session.open([.web(web)]) }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isHere = parts[0].isEmpty || parts[0] == page.name
        guard let next = isHere ? page : folder.page(named: parts[0]) else {
            return session.status.say(.guidePageMissing, parts[0])
        }
        open(next, atHeading: parts.dropFirst().first)
    }

    /// Shows a page, from which Esc leads back to this one.
    private func open(_ next: GuidePage, atHeading heading: String? = nil) {
        earlier.append(Place(page: page, selected: selected, top: top))
        (page, selected) = (next, nil)
        show(matching: "")
        if let heading, let paragraph = text.headings[heading], let line = view.line(ofParagraph: paragraph) {
            section = heading
            view.scroll(toLine: line)
        }
    }

    private var top: Top {
        let paragraph = view.topParagraph
        let lineCount = view.topLine - (view.line(ofParagraph: paragraph) ?? 0)
        return Top(place: text.place(ofParagraph: paragraph), lineCount: lineCount)
    }

    private func scroll(to top: Top) {
        view.scroll(toLine: (view.line(ofParagraph: text.paragraph(at: top.place)) ?? 0) + top.lineCount)
    }

    private func goBack() {
        guard let place = earlier.popLast() else { return }
        (page, selected) = (place.page, place.selected)
        show(matching: "")
        scroll(to: place.top)
    }
}
