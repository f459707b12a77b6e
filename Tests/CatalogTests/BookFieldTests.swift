import Testing

@testable import Catalog

struct BookFieldTests {
    @Test(
        arguments: [
            (#""title""#, .title), (#""authors""#, .authors), (#""isbn""#, .isbn), (#""pageCount""#, .pageCount),
            (#""fiction""#, .fiction), (#""\u0069sbn""#, .isbn), (#""author""#, nil), (#""pagecount""#, nil),
            (#""""#, nil),
        ] as [(String, BookField?)])
    func aFieldIsKnownByItsKey(text: String, field: BookField?) {
        #expect(JSONReader.reading(text.utf8) { BookField(key: 0..<text.utf8.count, in: $0) } == field)
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
