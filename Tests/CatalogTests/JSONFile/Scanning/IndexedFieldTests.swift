import Testing

@testable import Catalog

@Suite("JSON file: fields of the index") struct IndexedFieldTests {
    @Test(
        arguments: [
            (.title, "\"-09[{"), (.authors, "\"[{"), (.isbn, "\"-09["), (.pageCount, "\"-09"), (.fiction, "tf\"-09"),
        ] as [(IndexedField, String)])
    func aFieldAcceptsTheKindsOfValueItCanBeReadFrom(field: IndexedField, accepted: String) {
        for byte in "\"-09[{tfn".utf8 {
            #expect(field.accepts(valueBeginningWith: byte) == accepted.utf8.contains(byte))
        }
    }
}
