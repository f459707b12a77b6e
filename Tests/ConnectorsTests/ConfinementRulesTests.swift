import Testing

@testable import Connectors

@Suite("Rules of the confinement") struct ConfinementRulesTests {
    @Test("libseccomp takes all rules", arguments: [true, false])
    func rules(connects: Bool) throws {
        let filter = try #require(SystemCallFilter())
        SystemCalls.forbidUnneeded(filter, connects: connects)
        SystemCalls.forbidPrograms(filter)
        #expect(filter.failures == [])
    }

    @Test(
        "Unix sockets are needed where a service of nsswitch.conf is another program",
        arguments: [
            ("hosts: files dns", false), ("hosts:\tfiles myhostname dns # mdns", false), ("", false),
            ("passwd: files systemd\nhosts: files dns\nnetworks: files", false),
            ("hosts: files mdns4_minimal [NOTFOUND=return] dns", true),
            ("hosts: mymachines resolve [!UNAVAIL=return] files dns", true),
            ("hosts: files [NOTFOUND=return SUCCESS=return] dns", false), ("# hosts: mdns\nhosts: files", false),
        ])
    func services(text: String, areNeeded: Bool) {
        #expect(NameServices.needUnixSockets(accordingTo: text) == areNeeded)
    }
}
