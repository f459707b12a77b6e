import Testing

@testable import CSV

@Suite("CSV: apostrophes before formulas") struct FormulaGuardTests {
    private static let formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]

    @Test(arguments: formulas) func aFormulaIsGuardedIfAsked(formula: String) {
        #expect(FormulaGuard.isNeeded(before: Array(formula.utf8), guardsFormulas: true))
        #expect(!FormulaGuard.isNeeded(before: Array(formula.utf8), guardsFormulas: false))
        #expect(!FormulaGuard.isPresent(in: formula.utf8))
        #expect(FormulaGuard.isPresent(in: "'\(formula)".utf8))
    }

    @Test(arguments: formulas, [true, false])
    func anApostropheOfTheTextIsDoubled(formula: String, guardsFormulas: Bool) {
        for text in ["'\(formula)", "''\(formula)"] {
            #expect(FormulaGuard.isNeeded(before: Array(text.utf8), guardsFormulas: guardsFormulas))
            #expect(FormulaGuard.isPresent(in: "'\(text)".utf8))
        }
    }

    @Test(arguments: ["", "'", "''", "Emma", "'Tis", "1-2", " =1", "\"=1", "x=1", "'x=1", "’=1"])
    func otherTextsStay(text: String) {
        for guardsFormulas in [true, false] {
            #expect(!FormulaGuard.isNeeded(before: Array(text.utf8), guardsFormulas: guardsFormulas))
        }
        #expect(!FormulaGuard.isPresent(in: text.utf8))
    }
}
