import Testing

@testable import Books
@testable import Catalog

@Suite("JSON file: key trie") struct KeyTrieTests {
    private func plan(_ candidates: (IndexedField, [String])...) throws -> KeyTrie {
        try #require(KeyTrie(candidates.map { .init(field: $0.0, names: $0.1, isPlain: true) }))
    }

    @Test(arguments: [
        "title", "Title", "titles", "titl", "", "pageCount", "pageCounts", "a very long name, longer than 16",
    ])
    func aNodeIsFoundByItsName(name: String) throws {
        let names = ["title", "", "authors", "a very long name, longer than 16", "pageCount", "e\u{301}"]
        let fields: [IndexedField] = [.title, .title, .authors, .isbn, .pageCount, .fiction]
        let plan = try #require(
            KeyTrie(zip(fields, names).map { .init(field: $0, names: [$1], isPlain: true) }))
        #expect(plan.child(of: 0, named: name) == (names.firstIndex(of: name).map { $0 + 1 } ?? 0))
    }

    @Test func namesThatDifferOnlyInTheMiddleAreDistinguished() throws {
        let plan = try plan((.title, ["12345678aaaaaaaa12345678"]))
        #expect(plan.child(of: 0, named: "12345678aaaaaaaa12345678") == 1)
        #expect(plan.child(of: 0, named: "12345678bbbbbbbb12345678") == 0)
        // If one trie contains both, the general parser handles them.
        #expect(
            KeyTrie([
                .init(field: .title, names: ["12345678aaaaaaaa12345678"], isPlain: true),
                .init(field: .authors, names: ["12345678bbbbbbbb12345678"], isPlain: true),
            ]) == nil)
    }

    @Test func theMaximumNumberOfNamesIsFound() throws {
        let names = (0..<KeyTrie.maximumNodeCount).map { "name \($0 * 7919)" }
        let plan = try #require(KeyTrie(names.map { .init(field: .title, names: [$0], isPlain: true) }))
        for (index, name) in names.enumerated() { #expect(plan.child(of: 0, named: name) == index + 1) }
        #expect(KeyTrie((names + ["one more"]).map { .init(field: .title, names: [$0], isPlain: true) }) == nil)
    }

    @Test func pathsShareTheirPrefixes() throws {
        let plan = try plan(
            (.title, ["metadata", "title"]), (.authors, ["metadata", "author"]), (.isbn, ["metadata"]))
        let metadata = plan.child(of: 0, named: "metadata")
        let title = plan.child(of: metadata, named: "title")
        #expect(plan.nodes.count == 4)
        #expect(plan.child(of: 0, named: "title") == 0)
        #expect(plan.child(of: title, named: "title") == 0)
        #expect(plan.targets(of: .title).map { plan[$0].node } == [title])
        #expect(plan.targets(of: .title).map { plan[$0].ancestors } == [1 << UInt64(metadata)])
        #expect(plan.nodes[metadata].family == 0b1110)
    }

    /// What does not fit is read from the whole record instead, which takes ten times as long.
    @Test(arguments: Profile.builtInNames) func theNamesOfABuiltInProfileFit(name: String) throws {
        let profile = try #require(Profile.builtIn(named: name))
        let decoder = RecordDecoder(profile.mapping)
        #expect(decoder.isPlanned)
        for field in IndexedField.allCases {
            let candidates = profile.mapping.rules[field.bookField]?.candidates ?? []
            guard candidates.allSatisfy({ !$0.path.leadingNames.isEmpty }) else { continue }
            #expect(decoder.plan.overflow & field.mask == 0, "\(field)")
        }
    }
}
