import Testing

@testable import Catalog

struct ScannedFieldTests {
    @Test(
        arguments: [
            (#""title""#, .title), (#""authors""#, .authors), (#""isbn""#, .isbn), (#""pageCount""#, .pageCount),
            (#""fiction""#, .fiction), (#""\u0069sbn""#, .isbn), (#""author""#, nil), (#""pagecount""#, nil),
            (#""""#, nil),
        ] as [(String, ScannedField?)])
    func aFieldIsKnownByItsKey(text: String, field: ScannedField?) throws {
        let found = try JSONReader.reading((text + ":1").utf8) { reader in
            ScannedField(key: try reader.readKey(), in: reader)
        }
        #expect(found == field)
    }

    @Test(
        arguments: [
            (.title, "\"-09[{"), (.authors, "\"[{"), (.isbn, "\"-09["), (.pageCount, "\"-09"), (.fiction, "tf\"-09"),
        ] as [(ScannedField, String)])
    func aFieldAcceptsTheKindsOfValueItCanBeReadFrom(field: ScannedField, accepted: String) {
        for byte in "\"-09[{tfn".utf8 {
            #expect(field.accepts(valueBeginningWith: byte) == accepted.utf8.contains(byte))
        }
    }
}
