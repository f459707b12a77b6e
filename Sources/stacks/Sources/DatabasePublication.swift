internal import Library
internal import Text

/// The output of books to a database, which is written at the end.
final class DatabasePublication: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private let database: ConnectedOutput

    /// Creates the output to `target` through `database`.
    init(to target: PublishTarget, by database: ConnectedOutput) { (self.target, self.database) = (target, database) }

    func write(_ text: inout [UInt8]) -> Int32? { database.write(&text) }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        let code = database.complete(bookCount: count, ofWholeCatalog: isWhole)
        if code != 0 { return code }
        return PlainList.write(Message.published.text(count.of("book"), target.shownName) + ".\n")
    }
}

/// The output of a dry run for a database.
final class DatabasePreview: BookOutput {
    let isWrittenForNoMatch = false
    private let target: PublishTarget
    private var titles = PublishedTitles()

    /// Creates the output for `target`.
    init(of target: PublishTarget) { self.target = target }

    func write(_ text: inout [UInt8]) -> Int32? {
        titles.take(text)
        text.removeAll(keepingCapacity: true)
        return nil
    }

    func complete(bookCount count: Int, ofWholeCatalog isWhole: Bool) -> Int32 {
        PlainList.write(
            CommandMessage.wouldPublish.text(count.of("book"), target.shownName, titles.description) + ".\n")
    }
}
