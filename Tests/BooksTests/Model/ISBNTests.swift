import CatalogTesting
import Foundation
import TestSupport
import Testing

@testable import Books

@Suite("ISBN") struct ISBNTests {
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
    func lostLeadingZerosAreRestored(text: String, number: Int) {
        #expect(ISBN(text).number == number)
    }

    @Test(arguments: ["080442957X", "080442957x", "0-8044-2957-X"])
    func anXInTheLastPlaceCountsTen(text: String) {
        #expect(ISBN(text).number == 9_780_804_429_573)
    }

    @Test(arguments: [
        // Their weighted sums would be correct if X were allowed in these positions.
        "X00000000X", "0X00000009", "04X147812X", "978044147002X",
    ])
    func anXElsewhereIsInvalid(text: String) {
        #expect(ISBN(text).number == nil)
    }

    @Test(arguments: [
        "", "n/a", "9780441478120", "044147812X", "9.7804414781e+12", "123456", "97804414781", "978044147812",
        "97804414781250", "doi:9780441478125", "9780441478125 pbk", "978O441478125", "(pbk.) 9780441478125",
    ])
    func invalidISBNsAreKeptUnchanged(text: String) {
        let isbn = ISBN(text)
        #expect(isbn.text == text)
        #expect(isbn.number == nil)
        #expect(!isbn.isValid)
        #expect(isbn.formatted == text)
    }

    @Test(arguments: ["0000000000", "0000000", "0000000000000"])
    func zerosAreNotAnISBN(text: String) {
        #expect(ISBN(text).number == nil)
    }

    @Test(arguments: [
        "9780141439587.0", "9780141439587.00", "9780141439587,0", "9.780141439587E+12", "9,780141439587e12",
        "97801414395870E-1",
    ])
    func numbersOfSpreadsheetsAreReadIfTheyAreWhole(text: String) {
        let isbn = ISBN(text)
        #expect(isbn.number == 9_780_141_439_587 && isbn.text == "9780141439587" && !text.isRoundedNumber)
    }

    @Test(arguments: ["9.78E+12", "9.78014143959E+12", "9.78014E12", "9,78E+12"])
    func roundedNumbersAreNot(text: String) {
        #expect(ISBN(text).number == nil && ISBN(text).text == text && text.isRoundedNumber)
    }

    @Test(arguments: [
        "9780141439587.5", "978014143958.7", ".0", "E+12", "9E", "0141439580,0306406152",
    ])
    func otherTextsWithPointsStayAsTheyAre(text: String) {
        #expect(ISBN(text).text == text && !text.isRoundedNumber)
    }

    @Test(arguments: ["9e9223372036854775807", "97801414395870E-9223372036854775808", "9E99", "9E-99"])
    func exponentsOfAnySizeAreHarmless(text: String) {
        let isbn = ISBN(text)
        #expect(isbn.text == text && !isbn.isValid)
    }

    @Test func thirteenDigitsBeginWith978Or979() {
        #expect(ISBN("9791034305391").number == 9_791_034_305_391)
        // An ISSN barcode with a correct check digit.
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

    /// Texts of digits, hyphens and blanks only take the fast path; a bracket disables it.
    @Test func theFastPathAgreesWithTheGeneralParser() {
        var random = SplitMix(seed: 0x1582)
        var validCount = 0
        for _ in 0..<5000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                text += String("0123456789".randomElement(using: &random) ?? "0")
                if Int.random(in: 0..<12, using: &random) == 0 {
                    text += ["-", " ", "x", "X"].randomElement(using: &random) ?? ""
                }
            }
            if Bool.random(using: &random) { text = "978" + text.prefix(10) }
            let number = ISBN(text).number
            #expect(ISBN("[" + text).number == number, "\(text)")
            #expect(ISBN(text + "]").number == number, "\(text)")
            if number != nil { validCount += 1 }
        }
        #expect(validCount > 100)
    }

    @Test(arguments: [13, 10, 9, 8, 7])
    func ofTenCheckDigitsOneIsRight(count: Int) {
        var random = SplitMix(seed: UInt64(count))
        for _ in 0..<200 {
            var digits = (0..<count - 1).map { _ in Int.random(in: 0...9, using: &random) }
            if count == 13 { digits.replaceSubrange(0..<3, with: [9, 7, 8]) }
            // By the standard: weights 1 and 3 with a sum divisible by ten, or weights 10 to 1 with a sum divisible by
            // eleven.
            let isRight = (0...10).map { last in
                let padded = [Int](repeating: 0, count: count == 13 ? 0 : 10 - count) + digits + [last]
                if count == 13 {
                    return last < 10
                        && padded.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) } % 10 == 0
                }
                return padded.contains { $0 != 0 }
                    && padded.enumerated().reduce(0) { $0 + $1.element * (10 - $1.offset) } % 11 == 0
            }
            let text = digits.map(String.init).joined()
            for (last, isRight) in isRight.enumerated() {
                let isbn = ISBN(text + (last == 10 ? "X" : String(last)))
                #expect(isbn.isValid == isRight, "\(isbn.text)")
            }
        }
    }
}
