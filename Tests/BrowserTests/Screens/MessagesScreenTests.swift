import TerminalTesting
import Testing

@testable import Browser
@testable import TerminalUI

@Suite("Messages")
struct MessagesScreenTests {
    private let user = User(bookCount: 3)
    private let open = ": m e s s a g e s Enter"

    private func messages(_ keys: String) throws -> [String] {
        let rows = try user.browse(keys + " " + open, resumes: false).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        return rows.dropFirst().prefix { !$0.isEmpty }.map { String($0.dropFirst()) }
    }

    @Test func messagesAreListedNewestFirst() throws {
        #expect(
            try messages("t j y t Z") == [
                "Z is not bound. Press ? for all keys", "Copied: title of Book 2", "★ Favourite: Book 1",
            ])
    }

    @Test func anEmptyMessagesScreenSaysSo() throws {
        #expect(try messages("j") == ["No messages yet."])
    }

    @Test func aStartupNoticeIsAmongThem() throws {
        let terminal = try user.browse("j " + open, notices: ["places start afresh"], resumes: false)
        #expect(terminal.title.hasPrefix(" Messages"))
        #expect(terminal.row(1) == " places start afresh")
    }

    @Test func longOnesAreWrappedAndScroll() throws {
        let keys = Array(repeating: "Z", count: 40).joined(separator: " y t ")
        let terminal = try user.browse(keys + " " + open, resumes: false)
        #expect(terminal.status == "1-21/82")
        #expect(try user.browse(keys + " " + open + " j", resumes: false).status == "2-22/82")
    }

    @Test func escClosesIt() throws {
        #expect(try user.browse("Z " + open + " Esc", resumes: false).hasTitle(" All books (3)"))
    }

    @Test func itIsAnnouncedInLineMode() throws {
        #expect(
            try user.narrate("Z " + open, resumes: false).answer.suffix(5).prefix(2) == [
                "Messages", "Z is not bound. Press ? for all keys",
            ])
    }
}
