internal import Catalog
internal import ConnectorProtocol
internal import Editing
internal import Graphemes
internal import Library
internal import TerminalUI

/// The question for the user and password that a server wants, and, once they are given, what becomes of them.
final class PasswordDialog: TextInput, PopupDialog {
    static let width = 60
    let inputRowCount = 2
    private var question: CredentialQuestion
    private let server: any LockedServer
    private var user = LineEditor()
    private var secret = LineEditor()
    private var field = Field.user

    private enum Field {
        case user, secret
        /// Both are given, and the server has not answered.
        case none
    }

    /// Asks `question` of `server`.
    init(_ question: CredentialQuestion, for server: any LockedServer) {
        (self.question, self.server, user) = (question, server, LineEditor(question.user ?? ""))
        ask(question)
    }

    private func ask(_ question: CredentialQuestion) {
        self.question = question
        secret = LineEditor()
        // A wrong password is more likely than a wrong name.
        field = user.text.isEmpty ? .user : .secret
    }

    var editor: LineEditor {
        get { field == .secret ? secret : user }
        set { if field == .secret { secret = newValue } else { user = newValue } }
    }

    var prompt: String { label(of: field) + ": " }

    private func label(of field: Field) -> String { field == .secret ? question.secretLabel : question.userLabel }

    private static let lineLimit = 6

    /// What is said above the fields, at most `width` columns wide.
    func lines(_ width: Int) -> [String] {
        let texts = [
            question.isNetrcIgnored ? Message.netrcIgnored.text() : "",
            question.isRepeated
                ? Message.passwordRefused.text(question.origin.place.sanitized)
                : question.instructions?.description?.sanitized ?? "",
        ]
        let lines = texts.flatMap { text in
            LineWrapper(text, width: width).prefix(Self.lineLimit).map { $0.map(\.text).joined() }
        }
        return Array(lines.filter { !$0.isEmpty }.prefix(Self.lineLimit))
    }

    var title: String { "Sign in to \(question.place)" }

    func keyHints(_ app: App) -> [KeyHint]? {
        switch field {
        case .user: [KeyHint(.enter, "next"), KeyHint(.escape, "cancel")]
        case .secret: [KeyHint(.enter, "sign in"), KeyHint(.tab, question.userLabel), KeyHint(.escape, "cancel")]
        case .none: [KeyHint(.escape, "stop")]
        }
    }

    func draw(_ lines: [String], in rect: Rect, on canvas: inout Canvas) -> Position {
        // Of a small window, the fields have the rows.
        let shown = lines.prefix(max(0, rect.height - 2))
        for (number, line) in shown.enumerated() {
            canvas.write(
                line, row: rect.row + number, column: rect.column, width: rect.width,
                style: Style(question.isRepeated || question.isNetrcIgnored ? .warning : .secondary, on: .popup))
        }
        let width = max(question.userLabel.displayColumns, question.secretLabel.displayColumns)
        var cursor = Position(row: rect.row, column: rect.column)
        for (number, (field, editor)) in [(Field.user, user), (.secret, secret.masked)].enumerated() {
            let row = rect.row + shown.count + number
            guard row < rect.endRow else { break }
            let label = label(of: field)
            let prompt = label + ":" + String(repeating: " ", count: width - label.displayColumns + 1)
            editor.draw(
                on: &canvas, row: row, column: rect.column, width: rect.width, prompt: prompt, surface: .popup,
                isFocused: field == self.field)
            if field == self.field {
                cursor = editor.cursor(row: row, column: rect.column, width: rect.width, prompt: prompt)
            }
        }
        return cursor
    }

    func type(_ key: Key, _ app: App) -> Effect? {
        if field == .none { return typeWhileWaiting(key, app) }
        switch key {
        case .up, .down, .tab: complete(app)
        default:
            switch editor.react(to: key) {
            case .edited, .moved: break
            case .accepted: return accepted(app)
            case .cancelled: cancelled(app)
            case .notHandled where key == .control("c"):
                cancelled(app)
                app.sayHowToQuit()
            case .notHandled: break
            }
        }
        return Effect.none
    }

    /// The keys belong to the books again; the one that cancels gives the sign-in up.
    private func typeWhileWaiting(_ key: Key, _ app: App) -> Effect? {
        app.close(self)
        guard let command = app.singleKeyRequest(by: key)?.command, command == .cancel || command == .interrupt else {
            return nil
        }
        server.stop()
        return Effect.none
    }

    /// Goes to the other field.
    func complete(_ app: App) { field = field == .user ? .secret : .user }

    func pasted(_ text: String, _ app: App) {
        if field != .none { editor.insert(text) }
    }

    func accepted(_ app: App) -> Effect {
        if editor.text.isEmpty { return .none }
        if field == .user {
            field = .secret
            return .none
        }
        if user.text.isEmpty {
            field = .user
            return .none
        }
        let credential = SourceCredential(user: user.text, secret: secret.text)
        (secret, field) = (LineEditor(), .none)
        app.session.status.say(.signingIn, question.place)
        server.signIn(with: credential)
        return .none
    }

    func cancelled(_ app: App) {
        app.close(self)
        server.giveUp()
    }

    /// Asks again if the server has refused what was given, and closes when it has answered otherwise.
    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        guard field == .none, !server.isConnecting else { return }
        if let next = server.passwordQuestion { return ask(next) }
        app.close(self)
    }

    func spoken(_ app: App) -> Spoken {
        let typed = field == .secret ? prompt : prompt + user.text
        return Spoken(
            place: .prompt, heading: title, typed: field == .none ? nil : typed.sanitized,
            content: .text(lines(Self.width), topLine: "", speaksChangesOnly: true))
    }
}
