internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import Text

/// A database of ClickHouse or an index of OpenSearch.
struct EngineTarget: CatalogTarget {
    private let target: PublishTarget
    private let kind: Publication.Kind
    /// The end of each statement that a dry run prints.
    private let statementEnd: String

    /// Refers to `target` if it is one of these; fails for others.
    init?(_ target: PublishTarget) {
        let address = target.name.path
        if ["clickhouse://", "clickhouses://"].contains(where: address.hasPrefix) {
            (kind, statementEnd) = (.clickHouse, ";\n")
        } else if ["opensearch+http://", "opensearch+https://"].contains(where: address.hasPrefix) {
            (kind, statementEnd) = (.openSearch, "\n")
        } else {
            return nil
        }
        self.target = target
    }

    func publish(
        _ rows: ServerPublication, count: Int, _ titles: PublishedTitles
    ) throws(CommandError) -> String {
        let publication = Publication(
            to: target.name.path, as: kind, from: rows.rowsPath, rows: count, isDryRun: target.isDryRun)
        let outcome = try rows.send(publication, to: target.name)
        let books = count.of("book")
        if target.isDryRun, outcome.counted == nil {
            return outcome.statements.map { $0 + statementEnd }.joined()
                + CommandMessage.wouldLoad.text(books, target.shownName)
        }
        if outcome.counted != count {
            throw CommandError(
                sentence: CommandMessage.publishCountDiffers.text(
                    books, target.shownName, outcome.counted?.grouped ?? "none"),
                exitStatus: ExitStatus.serverRefused)
        }
        return outcome.sent == 0
            ? CommandMessage.publishedAlready.text(target.shownName, books)
            : Message.published.text(books, target.shownName)
    }
}
