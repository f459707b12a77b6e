import ConnectorProtocol
import Glibc
import Testing

@testable import Catalog
@testable import Remote

@Suite("Conversation with the connector program")
struct ConnectorConversationTests {
    /// For a program without its loader, the system says the same as for one that is missing.
    @Test(
        "A program that ends before its first word, or has no loader, cannot start",
        arguments: [
            "/bin/false", "/nowhere/stacks-connect",
        ])
    func cannotStart(program: String) {
        // As the program does: otherwise writing to one that has ended would end the tests.
        signal(SIGPIPE, SIG_IGN)
        #expect(throws: ConnectorFailure(.helper, .cannotStart)) {
            _ = try ConnectorConversation(program: program, cache: "/tmp", sources: [])
        }
    }
}
