import Testing

@testable import Books
@testable import Library

@Suite("Scan: codes") struct ScannedCodeTests {
    @Test(
        "An ISBN is understood as scanners and people type it",
        arguments: [
            "9780553103540", "978-0-553-10354-0", " 978 0553 103540 ", "0553103547", "0-553-10354-7",
            "9780553103540 51299", "978055310354051299", "978055310354012", "]E09780553103540", "978‑0553103540",
        ])
    func isbns(text: String) {
        #expect(ScannedCode(text) == .isbn(ISBN("9780553103540")))
    }

    @Test("An X at the end is a digit") func checkDigit() {
        #expect(ScannedCode("080442957x") == .isbn(ISBN("9780804429573")))
    }

    @Test(
        "What has a wrong, missing or strange digit is damaged",
        arguments: ["9780553103541", "978055310354", "55310354", "hello", "5901234123457", "1", "]E", "٩٧٨٠٥٥٣١٠٣٥٤٠"])
    func damaged(text: String) {
        #expect(ScannedCode(text) == .damaged(text))
    }

    @Test("A blank line is no code", arguments: ["", " ", "\t"]) func blank(text: String) {
        #expect(ScannedCode(text) == nil)
    }
}
