import Books
import CatalogTesting
import ConnectorProtocol
import Foundation
import Indexing
import JSON
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing
@testable import Remote

/// Saving on a server through a connector program that has a library in a file.
@Suite("Saving on a server")
struct ServerSavingTests {
    private let directory: TemporaryDirectory
    private let mirror: MirrorDirectory
    private static let address = "http://127.0.0.1:9/"
    private static let books = [
        #"{"id": 1, "title": "Emma", "authors": "Jane Austen", "uuid": "a"}"#,
        #"{"id": 4, "title": "Dracula", "authors": "Bram Stoker", "uuid": "b"}"#,
    ]

    init() throws {
        directory = try TemporaryDirectory()
        mirror = MirrorDirectory(of: Self.address, in: directory.path + "/cache")
        try FileManager.default.createDirectory(atPath: mirror.path, withIntermediateDirectories: true)
        let text = Self.books.map { $0 + "\n" }.joined()
        for path in [mirror.dataPath, library] { try Data(text.utf8).write(to: URL(filePath: path)) }
        let state =
            #"{"source":"\#(Self.address)","kind":"calibre-server","profile":"calibre","rows":2,"fetched":1}"#
        try Data(state.utf8).write(to: URL(filePath: mirror.path + "/state.json"))
    }

    private var library: String { directory.path + "/library.jsonl" }

    /// The titles on the server.
    private var titles: [String] {
        get throws {
            try String(contentsOfFile: library, encoding: .utf8).split(separator: "\n").compactMap {
                JSONValue(parsing: $0.utf8)?["title"]?.string
            }
        }
    }

    /// Opens the library through a connector of this kind.
    private func open(_ kind: String) throws -> EditedCatalog {
        let tests = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        try directory.write(kind.utf8, to: "kind")
        let profiles = ProfileLibrary(directory: nil)
        let file = JSONFileCatalog(
            path: mirror.dataPath, profile: profiles.profile(named: "calibre"), library: profiles, known: .books,
            copyOf: Self.address, profileIsFound: true)
        try file.open()
        file.readRest()
        let copy = MirroredCatalog(
            file, in: mirror, state: mirror.state, by: SourceAccess(program: "\(tests)/Servers/connector.py"))
        let catalog = EditedCatalog(
            copy, journalPath: EditedCatalog.journalPath(of: Self.address, in: directory.path + "/state"))
        try catalog.open()
        _ = catalog.receive()
        return catalog
    }

    /// Saves the edits.
    ///
    /// - Returns: The number of saved books.
    private func save(_ catalog: EditedCatalog) throws -> Int {
        _ = try catalog.save(notifying: {})
        while true {
            switch try catalog.receiveSave(waiting: 1000, notifying: {}) {
            case .running?: continue
            case .saved(let count)?: return count
            default: throw CocoaError(.fileWriteUnknown)
            }
        }
    }

    @Test("A server that asks for a password takes edits after it was given") func password() throws {
        let catalog = try open("locked")
        _ = try catalog.set([.title], of: [BookID(0)]) { $0.title = "Emma 2" }
        let refusal = CatalogEditError.server(ConnectorFailure(.auth, .password, detail: "books.example"))
        #expect(throws: refusal) { try save(catalog) }
        #expect(
            catalog.passwordQuestion == CredentialQuestion(realm: "writers", origin: ServerOrigin(of: Self.address)!))
        #expect(try titles == ["Emma", "Dracula"] && catalog.unsavedCount == 1 && !catalog.isConnecting)
        catalog.signIn(with: SourceCredential(user: "ann", secret: "wrong"))
        #expect(throws: refusal) { try save(catalog) }
        #expect(catalog.passwordQuestion?.isRepeated == true)
        catalog.signIn(with: SourceCredential(user: "ann", secret: "key"))
        #expect(try save(catalog) == 1)
        #expect(try titles == ["Emma 2", "Dracula"] && catalog.unsavedCount == 0)
        #expect(catalog.passwordQuestion == nil)
        // It is known from here on.
        _ = try catalog.remove([BookID(1)])
        #expect(try save(catalog) == 1 && titles == ["Emma 2"])
    }

    @Test("A helper that asks for the password of another server is given none") func otherServer() throws {
        let catalog = try open("curious")
        catalog.signIn(with: SourceCredential(user: "ann", secret: "key"))
        _ = try catalog.set([.title], of: [BookID(0)]) { $0.title = "Emma 2" }
        #expect(throws: CatalogEditError.self) { try save(catalog) }
        #expect(catalog.passwordQuestion == nil)
        #expect(try titles == ["Emma", "Dracula"] && catalog.unsavedCount == 1)
    }

    @Test("An edit that is kept because no password was given is there at the next start") func noPassword() throws {
        let catalog = try open("locked")
        _ = try catalog.add([Book(title: "Nana", authors: ["Émile Zola"])], after: nil)
        #expect(throws: CatalogEditError.self) { try save(catalog) }
        let again = try open("locked")
        #expect(again.unsavedCount == 1 && again.index.count == 3)
        again.signIn(with: SourceCredential(user: "ann", secret: "key"))
        #expect(try save(again) == 1)
        #expect(try titles == ["Emma", "Dracula", "Nana"])
    }

    @Test("A change that was made before the connection broke off is saved, and made once")
    func lostResponse() throws {
        let catalog = try open("lost")
        _ = try catalog.add([Book(title: "Nana", authors: ["Émile Zola"])], after: nil)
        #expect(try save(catalog) == 1)
        #expect(catalog.unsavedCount == 0 && catalog.index.count == 3)
        // Of two books, the second one is left.
        let two = [("Ulysses", "James Joyce"), ("Kim", "Rudyard Kipling")].map { Book(title: $0, authors: [$1]) }
        _ = try catalog.add(two, after: nil)
        let failure = CatalogEditError.server(ConnectorFailure(.offline, .brokenOff, detail: "books.example"))
        #expect(throws: failure) { try save(catalog) }
        #expect(catalog.unsavedCount == 1 && catalog.index.count == 5)
        #expect(try save(catalog) == 1)
        #expect(try titles == ["Emma", "Dracula", "Nana", "Ulysses", "Kim"])
    }

    @Test("A book that was added although the server refused it is saved, and added once") func refusal() throws {
        let catalog = try open("refusing")
        _ = try catalog.add([Book(title: "Nana", authors: ["Émile Zola"])], after: nil)
        #expect(try save(catalog) == 1)
        #expect(catalog.unsavedCount == 0 && catalog.index.count == 3)
        guard case .nothing = try catalog.save(notifying: {}) else {
            Issue.record("it is saved again")
            return
        }
        #expect(try titles == ["Emma", "Dracula", "Nana"])
    }
}
