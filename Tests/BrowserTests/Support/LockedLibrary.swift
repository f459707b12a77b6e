import ConnectorProtocol
import Foundation
import TerminalUI

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Editing
@testable import Library
@testable import Remote

extension User {
    /// Returns the books as the copy of a library on a server that has refused to be read and to take edits, and whose
    /// books others have changed, too: each question has a reason.
    func lockedLibrary() throws -> EditedCatalog {
        let mirror = try lockedCopy()
        let catalog = EditedCatalog(
            mirror,
            journalPath: EditedCatalog.journalPath(of: mirror.directory.source, in: home.path + "/journals"))
        try catalog.open()
        _ = catalog.receive()
        return catalog
    }

    /// Returns the books as the copy of a library on a server that has refused to be read.
    ///
    /// - Parameters:
    ///   - checked: When the server was last asked, in seconds since 1970.
    ///   - copied: When the copy was made, in the news about the server; nil without news.
    func lockedCopy(
        checked: Int = 1, refreshes: MirrorRefresh = .never, news copied: Int?? = nil
    ) throws -> MirroredCatalog {
        let address = "http://127.0.0.1:9/"
        let directory = MirrorDirectory(of: address, in: home.path + "/cache")
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        let rows = books.enumerated().map { id, book in
            #"{"id":\#(id),"title":"\#(book.title)","authors":"\#(book.authors[0])"}"# + "\n"
        }
        try Data(rows.joined().utf8).write(to: URL(filePath: directory.dataPath), options: .atomic)
        let state =
            #"{"source":"\#(address)","kind":"calibre-server","profile":"calibre","rows":\#(rows.count),"#
            + #""fetched":1,"checked":\#(checked)}"#
        try Data(state.utf8).write(to: URL(filePath: directory.path + "/state.json"))
        let library = ProfileLibrary(directory: nil)
        let file = JSONFileCatalog(
            path: directory.dataPath, profile: library.profile(named: "calibre"), library: library, known: .books,
            copyOf: address, profileIsFound: true)
        if !rows.isEmpty { try file.open() }
        file.readRest()
        let access = SourceAccess(program: nil, refreshes: refreshes)
        let question = question(about: "reading")
        _ = access.signIn.credentials(question)
        return MirroredCatalog(
            file, in: directory, state: directory.state, by: access,
            news: copied.map { .passwordNeeded(question, copied: $0) }, failure: ConnectorFailure(.auth, .password))
    }

    private func question(about realm: String) -> CredentialQuestion {
        CredentialQuestion(realm: realm, origin: ServerOrigin.all(in: "https://books.example")[0])
    }

    /// Gives each question of `app` a reason, and asks it as often as requests have failed.
    func ask(_ questions: [SessionQuestion], of app: App, times: Int = 1) {
        let edited = app.session.library.store.edited
        edited?.passwordQuestion = question(about: "saving")
        edited?.clashes = EditClash.examples
        for _ in 0..<times { questions.forEach { app.session.questions.add($0) } }
        app.update()
    }
}

extension App {
    /// The question that is asked now, as the screen tells it; nil if none is.
    var askedQuestion: SessionQuestion? {
        switch top {
        case is ClashScreen: .clashes
        case is PasswordDialog:
            top.spoken(self).heading == "Sign in to books.example (saving)" ? .passwordToSave : .passwordToRead
        default: nil
        }
    }

    /// Closes the screen on top with a key.
    func closeWithAKey() {
        _ = handle(.key(top.placement == .question ? .character("y") : .escape))
        update()
    }
}
