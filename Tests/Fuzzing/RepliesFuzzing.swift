import CatalogTesting
import ConnectorProtocol
import Library
import Shelves
import TerminalUI

@testable import Browser
@testable import Catalog
@testable import Remote

/// Keys in the first line, and replies of the connector program in the others: they drive the browser with a catalog on
/// a server, and every number and message of a copy is put into words.
func readAsReplies(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard let keys = lines.first, lines.count > 1 else { return }
    for line in lines.dropFirst() { describe(line) }
    let store = BookStore(source: pagedCatalog(repliedToBy: lines.dropFirst().prefix(64)))
    let session = Session(
        library: Library(store: store, userData: UserData(directory: nil), catalogPath: "server"),
        catalogPath: "server", preferences: PreferencesFile(directory: nil))
    let app = App(session, start: Start(resumes: false))
    draw(app)
    for key in keys.prefix(64) {
        _ = app.handle(.key(usefulKeys[Int(key) % usefulKeys.count]))
        _ = app.handle(.wakeUp)
        draw(app)
    }
}

/// The keys that move, search, sort, group, select, reload and open screens; none writes a file or starts a program.
private let usefulKeys: [Key] =
    "GgjkhlstyacRFLnN/[]vVz%0159 b".map(Key.character)
    + [.enter, .escape, .tab, .up, .down, .home, .end, .pageUp, .pageDown, .backspace, .control("d"), .control("u")]

private func draw(_ app: App) {
    app.update()
    let size = Size(rows: 14, columns: 70)
    precondition(app.draw(size: size).canvas.size == size)
    let table = app.session.books.table
    precondition((table.currentRow == nil) == (table.rowCount == 0))
    if let row = table.currentRow { precondition((0..<table.rowCount).contains(row)) }
}

/// Puts what a reply says into words, as the browser does for a copy.
private func describe(_ line: some Collection<UInt8>) {
    guard let reply = try? ConnectorReply(parsing: line) else { return }
    switch reply.content {
    case .progress(let progress):
        for milliseconds in [999, 1000, 86_400_000] {
            let rate = TransferRate(of: progress, afterMilliseconds: milliseconds)
            precondition(rate?.words.isEmpty != true)
        }
        precondition(progress.fraction.map { (0...1).contains($0) } ?? true, "\(progress)")
    case .failed(let failure):
        precondition(!failure.sentence(of: "a").isEmpty && !failure.sentence(writing: "a").isEmpty)
        precondition(!MirrorNews.unreachable(failure, copied: 0).sentence(of: "a").isEmpty)
    case .ended(.mirrored(let copy)):
        let state = MirrorState(OpenedSource(kind: "csv"), copy, of: "a", in: nil, fingerprint: nil)
        for news in [MirrorNews.complete(state), .empty(state), .incomplete(state.defects, .rows(state.rows))] {
            precondition(!news.sentence(of: "a").isEmpty)
        }
    case .refused(let rows): for row in rows { precondition(!row.sentence(of: "a").isEmpty) }
    case .ended, .waiting, .asked, .rows: break
    }
}
