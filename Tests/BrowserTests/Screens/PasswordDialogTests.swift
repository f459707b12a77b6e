import CatalogTesting
import ConnectorProtocol
import Glibc
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Catalog
@testable import Indexing
@testable import Library
@testable import Remote

/// A password that is asked for in the browser.
@Suite("The password dialog")
struct PasswordDialogTests {
    private let user = User(bookCount: 3)

    /// Browses a source that is locked, where these keys are typed after it was asked for the first time.
    private func browse(_ keys: String, on source: LockedSource) throws -> ScriptedTerminal {
        try user.browse(
            steps: [.wakeUp] + ScriptedTerminal.Step.keys(keys).flatMap { [$0, .events([.wakeUp])] }, source: source)
    }

    @Test func aServerThatWantsAPasswordIsToldOfAndNobodyIsInterrupted() throws {
        let terminal = try browse("j / o", on: LockedSource(books: user.books))
        #expect(terminal.popup("Sign in to books.example (club)").isEmpty)
        #expect(terminal.text.contains("/o"))
        let idle = try user.browse(steps: [.wakeUp], source: user.lockedCopy(news: 60))
        #expect(
            idle.status.hasSuffix(
                "books.example (reading) needs a password; its copy of \(60.asDate) is shown. R asks for it"))
    }

    @Test func theKeyThatReloadsAsksForUserAndPasswordWhichIsNotShown() throws {
        let source = LockedSource(books: user.books)
        let terminal = try browse("R a n n Enter k e y", on: source)
        #expect(terminal.popup("Sign in to books.example (club)") == ["User:     ann", "Password: •••"])
        #expect(!terminal.screens.contains { $0.text.contains("key") })
        #expect(source.typed.isEmpty)
    }

    @Test func whatIsTypedGoesToTheServerAndTheDialogCloses() throws {
        let source = LockedSource(books: user.books)
        let terminal = try browse("R a n n Enter k e y Enter", on: source)
        #expect(source.typed == [SourceCredential(user: "ann", secret: "key")])
        #expect(terminal.popup("Sign in to books.example (club)").isEmpty)
        #expect(try browse("R a n n Tab k e y Enter", on: source).popup("Sign in to books.example (club)").isEmpty)
    }

    @Test func aWrongPasswordIsAskedForAgainWithTheSameUser() throws {
        let source = LockedSource(books: user.books)
        let terminal = try browse("R a n n Enter n o Enter", on: source)
        #expect(
            terminal.popup("Sign in to books.example (club)") == [
                "books.example: wrong user or password. Try again", "User:     ann", "Password:",
            ])
        let second = LockedSource(books: user.books)
        _ = try browse("R a n n Enter n o Enter k e y Enter", on: second)
        #expect(second.typed.map(\.secret) == ["no", "key"])
    }

    @Test func aNetrcThatOthersCanReadIsReported() throws {
        let source = LockedSource(books: user.books)
        source.question.isNetrcIgnored = true
        #expect(
            try browse("R a n n", on: source).popup("Sign in to books.example (club)") == [
                "~/.netrc is ignored, because other users can read it. Run", "chmod 600 on it", "User:     ann",
                "Password:",
            ])
    }

    @Test func escapeLeavesTheCopyAndAsksNothing() throws {
        for keys in ["R Esc", "R a Esc", "R a Enter k Esc", "R ^c"] {
            let source = LockedSource(books: user.books)
            let terminal = try browse(keys, on: source)
            #expect(terminal.popup("Sign in to books.example (club)").isEmpty && source.typed.isEmpty)
            #expect(terminal.selection == "Book 1")
        }
    }

    @Test func nothingTypedIsNotSent() throws {
        let source = LockedSource(books: user.books)
        let terminal = try browse("R Enter Tab Enter Tab Enter", on: source)
        #expect(terminal.popup("Sign in to books.example (club)") == ["User:", "Password:"])
        #expect(source.typed.isEmpty)
    }

    @Test func aServerThatIsSlowIsGivenUpByEscape() throws {
        let source = LockedSource(books: user.books)
        source.isSlow = true
        let waiting = try browse("R a n n Enter k e y Enter", on: source)
        #expect(waiting.status.hasSuffix("Signing in to books.example (club). Esc stops"))
        let second = LockedSource(books: user.books)
        second.isSlow = true
        let stopped = try browse("R a n n Enter k e y Enter Esc", on: second)
        #expect(second.isStopped && stopped.popup("Sign in to books.example (club)").isEmpty)
        // Other keys belong to the books at once.
        let third = LockedSource(books: user.books)
        third.isSlow = true
        #expect(try browse("R a n n Enter k e y Enter j", on: third).selection == "Book 2")
        #expect(!third.isStopped)
    }

    @Test func whatTheServerSaysOfSigningInIsShown() throws {
        let source = LockedSource(books: user.books)
        source.question.instructions = SignInInstructions(
            title: "City\u{202E} Library", description: "Your card has the number.", userLabel: "Card number",
            secretLabel: "PIN")
        let terminal = try browse("R", on: source)
        let lines = terminal.popup("Sign in to books.example (City\u{FFFD} Library)")
        #expect(lines == ["Your card has the number.", "Card number:", "PIN:"], "\(terminal.text)")
    }

    @Test func withoutACopyItIsAskedForAtOnce() throws {
        func browse(_ steps: [ScriptedTerminal.Step]) throws -> [String] {
            let user = User(bookCount: 0)
            return try user.browse(steps: steps, source: user.lockedCopy(news: .some(nil)))
                .popup("Sign in to books.example (reading)")
        }
        #expect(try !browse([.wakeUp]).isEmpty)
        // Who types something else is not interrupted, but asked afterwards.
        let typed = ScriptedTerminal.Step.keys(":") + [.wakeUp]
        #expect(try browse(typed).isEmpty)
        #expect(try !browse(typed + ScriptedTerminal.Step.keys("Esc")).isEmpty)
    }

    @Test func requestsThatFailTogetherAskOnce() throws {
        let app = user.makeApp(source: try user.lockedLibrary(), resumes: false)
        _ = app.draw(size: Size(rows: 24, columns: 100))
        user.ask(SessionQuestion.allCases, of: app, times: 3)
        var asked: [SessionQuestion] = []
        while let question = app.askedQuestion, asked.count < 10 {
            asked.append(question)
            // Another request fails while its dialog is open.
            user.ask([question], of: app)
            app.closeWithAKey()
        }
        #expect(asked == [.passwordToRead, .passwordToSave, .clashes])
        #expect(app.top === app.main)
        user.ask([.clashes], of: app)
        #expect(app.askedQuestion == .clashes)
    }

    @Test func theBrowserSleepsUntilTheServerIsToBeAskedAgain() throws {
        let source = try user.lockedCopy(checked: time(nil) + 100 - MirrorState.trustedTime, refreshes: .whenChanged)
        let pauses = try user.browse(steps: [.pause], source: source).pauses.compactMap(\.self)
        #expect(pauses.count == 1 && pauses.allSatisfy { (90_000...100_000).contains($0) })
    }

    @Test func lineModeTellsTheFieldAndNeverThePassword() throws {
        let source = LockedSource(books: user.books)
        let terminal = ScriptedLineTerminal(
            steps: [.wakeUp] + ScriptedTerminal.Step.keys("R a n n Enter n o Enter").flatMap { [$0, .wakeUp] })
        _ = user.makeApp(source: source, resumes: false).run(on: terminal)
        let lines = terminal.answers.flatMap(\.self)
        #expect(lines.contains("Sign in to books.example (club)") && lines.contains("User: ann"))
        #expect(lines.contains("Password:") || lines.contains("Password: "))
        #expect(!lines.contains { $0.hasPrefix("Password: n") })
        #expect(lines.contains("books.example: wrong user or password. Try again"))
    }
}

/// A catalog whose server lets in only with the password "key".
final class LockedSource: LocallyIndexed, Reloadable, PasswordProtected {
    static let question = CredentialQuestion(realm: "club", origin: ServerOrigin.all(in: "https://books.example")[0])
    var question = LockedSource.question
    /// Whether the server does not answer.
    var isSlow = false
    private(set) var isStopped = false
    private(set) var typed: [SourceCredential] = []
    private let books: InMemoryCatalog
    private var isOpen = false

    init(books: [Book]) { self.books = InMemoryCatalog(name: "books.example", books: books) }

    var name: String { "books.example" }
    func open() throws(CatalogError) {}
    var count: BookCount { books.count }
    var state: SourceState { .ready }
    var defects: CatalogDefects { CatalogDefects() }
    var index: BookIndex { books.index }
    func summary(of id: BookID) -> Slot<BookSummary> { books.summary(of: id) }
    func book(_ id: BookID) -> Slot<Book> { books.book(id) }
    var all: any RowSource { books.all }
    func receive() -> Bool { false }
    func start(waking wake: @escaping @Sendable () -> Void) { wake() }

    let canReload = true
    let isOutdated = false
    func reload() throws(CatalogError) {}
    func watch(waking wake: @escaping @Sendable () -> Void) -> AnyObject? { nil }

    func stopConnecting() { isStopped = true }
    var isConnecting: Bool { isSlow && !typed.isEmpty && !isStopped }
    var credentials: CredentialSource { { _ in nil } }
    var passwordQuestion: CredentialQuestion? { isOpen ? nil : question }

    func signIn(with credential: SourceCredential) {
        typed.append(credential)
        isOpen = credential.secret == "key"
        question.isRepeated = !isOpen
    }
}
