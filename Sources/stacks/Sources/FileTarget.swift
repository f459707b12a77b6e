internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import Text

/// A JSON or JSON Lines file on a server.
struct FileTarget: CatalogTarget {
    private let target: PublishTarget
    private let copy: TargetDownload

    /// Refers to `target`, of which `copy` is the copy.
    init(_ target: PublishTarget, _ copy: TargetDownload) { (self.target, self.copy) = (target, copy) }

    func publish(
        _ rows: ServerPublication, count: Int, _ titles: PublishedTitles
    ) throws(CommandError) -> String {
        let publication = Publication(
            to: target.name.path, as: .file, from: rows.rowsPath, rows: count,
            known: copy.directory.state?.version, isDryRun: target.isDryRun, isForced: target.isForced)
        let outcome = try rows.send(publication, to: target.name)
        if outcome.sent == 0, count > 0 {
            return CommandMessage.publishedAlready.text(target.shownName, count.of("book"))
        }
        if target.isDryRun {
            return CommandMessage.wouldPublish.text(count.of("book"), target.shownName, titles.description)
        }
        // The file is downloaded again to count its books as readers get them.
        let counted = try copy.bringUpToDate().rows
        if counted != count {
            throw CommandError(
                sentence: CommandMessage.publishCountDiffers.text(count.of("book"), target.shownName, counted.grouped),
                exitStatus: ExitStatus.serverRefused)
        }
        return Message.published.text(count.of("book"), target.shownName)
    }
}
