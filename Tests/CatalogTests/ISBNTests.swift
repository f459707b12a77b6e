import Foundation
import Testing

@testable import Catalog

struct ISBNTests {
    @Test(arguments: [
        "9780441478125", "978-0-441-47812-5", "978 0 441 47812 5", "0-441-47812-3", "0441478123",
        "urn:isbn:9780441478125", "URN:ISBN:9780441478125", "=\"9780441478125\"", "[9780441478125]",
        "9780441478125 (pbk.) : $7.99", "ISBN 9780441478125", "isbn:0441478123", "９７８０４４１４７８１２５",
        "978\u{2010}0\u{2013}441478125",
    ])
    func everyFormOfOneNumberGivesThatNumber(text: String) {
        #expect(ISBN(text).number == 9_780_441_478_125)
        #expect(ISBN(text).isValid)
    }

    @Test(arguments: [
        ("714952230", 9_780_714_952_239), ("71495223", 9_780_071_495_226), ("7149522", 9_780_007_149_520),
        ("441478123", 9_780_441_478_125),
    ])
    func lostLeadingZerosAreGivenBack(text: String, number: Int) {
        #expect(ISBN(text).number == number)
    }

    @Test(arguments: ["080442957X", "080442957x", "0-8044-2957-X"])
    func anXInTheLastPlaceCountsTen(text: String) {
        #expect(ISBN(text).number == 9_780_804_429_573)
    }

    @Test(arguments: [
        // Their weighted sums were right, if an X were allowed there.
        "X00000000X", "0X00000009", "04X147812X", "978044147002X",
    ])
    func anXElsewhereIsInvalid(text: String) {
        #expect(ISBN(text).number == nil)
    }

    @Test(arguments: [
        "", "n/a", "9780441478120", "044147812X", "9.7804414781e+12", "123456", "97804414781", "978044147812",
        "97804414781250", "doi:9780441478125", "9780441478125 pbk", "978O441478125", "(pbk.) 9780441478125",
    ])
    func whatIsNoISBNIsKeptAsItIs(text: String) {
        let isbn = ISBN(text)
        #expect(isbn.text == text)
        #expect(isbn.number == nil)
        #expect(!isbn.isValid)
        #expect(isbn.formatted == text)
    }

    @Test(arguments: ["0000000000", "0000000", "0000000000000"])
    func nothingButZerosIsNoISBN(text: String) {
        #expect(ISBN(text).number == nil)
    }

    @Test func thirteenDigitsBeginWith978Or979() {
        #expect(ISBN("9791034305391").number == 9_791_034_305_391)
        // A serial, with a right check digit.
        #expect(ISBN("9770441478126").number == nil)
    }

    @Test func theTextOfAValidOneIsKeptToo() {
        #expect(ISBN("0-441-47812-3").text == "0-441-47812-3")
    }

    @Test func aValidOneIsFormattedWithItsPrefixSetApart() {
        #expect(ISBN("0441478123").formatted == "978-0441478125")
    }

    @Test func itIsCodedAsTheTextOfTheCatalog() throws {
        let encoded = try JSONEncoder().encode([ISBN("0-441-47812-3")])
        #expect(String(decoding: encoded, as: UTF8.self) == #"["0-441-47812-3"]"#)
        let decoded = try JSONDecoder().decode([ISBN].self, from: Data(#"["0-441-47812-3", "n/a"]"#.utf8))
        #expect(decoded.map(\.text) == ["0-441-47812-3", "n/a"])
        #expect(decoded.map(\.number) == [9_780_441_478_125, nil])
    }
}
