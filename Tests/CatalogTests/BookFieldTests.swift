import Testing

@testable import Catalog

struct BookFieldTests {
    @Test(
        arguments: [
            (#""title""#, .title), (#""authors""#, .authors), (#""isbn""#, .isbn), (#""pageCount""#, .pageCount),
            (#""fiction""#, .fiction), (#""\u0069sbn""#, .isbn), (#""author""#, nil), (#""pagecount""#, nil),
            (#""""#, nil),
        ] as [(String, BookField?)])
    func aFieldIsKnownByItsKey(text: String, field: BookField?) throws {
        let found = try JSONReader.reading((text + ":1").utf8) { reader in
            BookField(key: try reader.readKey(), in: reader)
        }
        #expect(found == field)
    }

    @Test(
        arguments: [
            (.title, "\"-09[{"), (.authors, "\"[{"), (.isbn, "\"-09["), (.pageCount, "\"-09"), (.fiction, "tf\"-09"),
        ] as [(BookField, String)])
    func aFieldAcceptsTheKindsOfValueItCanBeReadFrom(field: BookField, accepted: String) {
        for byte in "\"-09[{tfn".utf8 {
            #expect(field.accepts(valueBeginningWith: byte) == accepted.utf8.contains(byte))
        }
    }
}
