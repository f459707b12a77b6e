import Testing

@testable import TerminalUI

@Suite("Keys and their names") struct KeyTests {
    @Test(
        arguments: [
            ("j", .character("j")), ("J", .character("J")), ("?", .character("?")), ("é", .character("é")),
            ("^", .character("^")), ("F", .character("F")), ("Space", .character(" ")),
            ("^d", .control("d")), ("^]", .control("]")),
            ("Up", .up), ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end),
            ("PgUp", .pageUp), ("PgDn", .pageDown), ("Enter", .enter), ("Tab", .tab), ("BackTab", .backTab),
            ("Esc", .escape), ("Backspace", .backspace), ("Del", .delete), ("Ins", .insert),
            ("F1", .function(1)), ("F12", .function(12)), ("F63", .function(63)),
        ] as [(String, Key)])
    func aNameDenotesItsKey(name: String, key: Key) {
        #expect(Key(name: name) == key)
    }

    @Test(arguments: ["", "gg", "up", "F0", "F64", "F-1", "F+1", "F01", "Fx", "^dd", "^é", "^1", "Shift-Tab"])
    func unknownNamesAreNotKeys(name: String) {
        #expect(Key(name: name) == nil)
    }

    @Test func aLetterWithCtrlHasNoCase() {
        #expect(Key(name: "^D") == .control("d"))
    }

    @Test(
        arguments: [
            (.character("j"), "j"), (.character(" "), "Space"), (.control("d"), "^d"), (.function(10), "F10"),
            (.up, "↑"), (.down, "↓"), (.left, "←"), (.right, "→"), (.pageDown, "PgDn"), (.backTab, "Shift-Tab"),
            (.escape, "Esc"), (.enter, "Enter"), (.unknown, "?"),
        ] as [(Key, String)])
    func aKeyHasItsUsualLabel(key: Key, label: String) {
        #expect(key.label == label)
    }
}
