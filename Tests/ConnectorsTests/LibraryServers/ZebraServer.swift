import Foundation
import JSON
import TestSupport

/// Zebra with generated books, and an answer to each search that is computed from the same books in another way.
final class ZebraServer {
    /// A book that Zebra has.
    struct Book: Decodable {
        let control: String
        let title: String
        let author: String
        let subject: String
        let publisher: String
        let series: String?
        let year: Int
        let isbn: String
        let language: String

        /// The id in rows: the control number after the code of the library.
        var id: String { "(TEST)\(control)" }

        /// The words of the title, in lower case.
        var titleWords: [String] {
            title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
    }

    private let directory: TemporaryDirectory
    private let process: ServerProcess
    /// The port.
    var port: String { process.words[0] }
    /// The books in the order of Zebra.
    var books: [Book] = []

    init(count: Int = 300, isPrivate: Bool = false) throws {
        directory = try TemporaryDirectory()
        process = try ServerProcess(
            script: "zebra.py", arguments: [directory.path, "\(count)"] + (isPrivate ? ["private"] : []))
        try readBooks()
    }

    /// Kills the server, starts it again, or adds a book: the commands of the script.
    func tell(_ command: String) throws {
        _ = process.ask(command)
        try readBooks()
    }

    private func readBooks() throws {
        books = try JSONDecoder().decode(
            [Book].self, from: Data(contentsOf: URL(filePath: directory.path + "/books.json")))
    }

    /// Returns the ids of the books that match, in the order of Zebra.
    func ids(_ isMatch: (Book) -> Bool) -> [String] { books.filter(isMatch).map(\.id) }
}
