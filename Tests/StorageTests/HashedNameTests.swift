import Storage
import Testing

@Suite("The names of files that belong to a text")
struct HashedNameTests {
    @Test(
        "A name is the SHA-256 of the text: the examples of FIPS 180-4 and its predecessors",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                    + "nopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func examples(_ text: String, _ name: String) { #expect(hashedName(of: text) == name) }

    @Test(
        "The padding fills a block, or needs another one",
        arguments: [(55, "9f4390f8"), (56, "b35439a4"), (64, "ffe054fe")])
    func padding(_ count: Int, _ start: String) {
        #expect(hashedName(of: String(repeating: "a", count: count)).hasPrefix(start))
    }

    @Test("Earlier versions gave these two addresses the same name") func collision() {
        let (good, evil) = ("http://127.0.0.1:9101/good.csv", "http://127.0.0.1:9102/evil.csv?SndCRMcTRj4Csu5eF")
        #expect(earlierName(of: good) == earlierName(of: evil))
        #expect(hashedName(of: good) != hashedName(of: evil))
    }
}
