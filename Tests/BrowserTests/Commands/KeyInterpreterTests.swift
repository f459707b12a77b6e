import Testing

@testable import Browser
@testable import TerminalUI

@Suite("From keys to commands")
struct KeyInterpreterTests {
    private func requests(_ names: String) -> [CommandRequest] {
        var interpreter = KeyInterpreter()
        return names.split(separator: " ").compactMap { Key(name: String($0)) }.compactMap {
            if case .request(let request) = interpreter.interpret($0, in: .books) { request } else { nil }
        }
    }

    @Test func oneKeyGivesItsCommand() {
        #expect(requests("j") == [.init(command: .move(.down), count: nil)])
        #expect(requests("Down") == [.init(command: .move(.down), count: nil)])
        #expect(requests("^d") == [.init(command: .move(.halfPageDown), count: nil)])
    }

    @Test func digitsBeforeAKeyAreItsCount() {
        #expect(requests("1 2 0 G") == [.init(command: .move(.end), count: 120)])
        #expect(
            requests("5 j j") == [.init(command: .move(.down), count: 5), .init(command: .move(.down), count: nil)])
    }

    @Test func aZeroAloneIsNotACount() {
        #expect(requests("0 j") == [.init(command: .move(.down), count: nil)])
        #expect(requests("1 0 j") == [.init(command: .move(.down), count: 10)])
    }

    @Test func twoKeysGiveACommandTogether() {
        #expect(requests("g g") == [.init(command: .move(.top), count: nil)])
        #expect(requests("3 z z") == [.init(command: .move(.scrollTo(.middle)), count: 3)])
    }

    @Test func anUnknownSequenceIsForgotten() {
        #expect(requests("g x j") == [.init(command: .move(.down), count: nil)])
        #expect(requests("7 Z j") == [.init(command: .move(.down), count: nil)])
    }

    @Test func aCountBeyondAnIntIsTheGreatestOne() {
        let digits = Array(repeating: "9", count: 40).joined(separator: " ")
        #expect(requests(digits + " j") == [.init(command: .move(.down), count: .max)])
    }

    @Test func escapeForgetsWhatWasTypedAndNothingElse() {
        #expect(requests("5 Esc j") == [.init(command: .move(.down), count: nil)])
        #expect(requests("g Esc") == [])
        #expect(requests("Esc") == [.init(command: .cancel, count: nil)])
    }

    @Test func anInterruptWorksWithinAKeySequence() {
        #expect(requests("g ^c") == [.init(command: .interrupt, count: nil)])
        #expect(
            requests("5 ^c j") == [.init(command: .interrupt, count: nil), .init(command: .move(.down), count: nil)])
    }

    @Test func keysWithoutACommandAreNamed() {
        var interpreter = KeyInterpreter()
        #expect(interpreter.interpret(.character("Z"), in: .books) == .unbound("Z"))
        #expect(interpreter.interpret(.character("g"), in: .books) == .nothing)
        #expect(interpreter.interpret(.character("x"), in: .books) == .unbound("gx"))
        #expect(interpreter.interpret(.unknown, in: .books) == .nothing)
    }

    @Test func pendingKeysAreShown() {
        var interpreter = KeyInterpreter()
        _ = interpreter.interpret(.character("1"), in: .books)
        _ = interpreter.interpret(.character("2"), in: .books)
        #expect(interpreter.pendingText == "12")
        _ = interpreter.interpret(.character("g"), in: .books)
        #expect(interpreter.pendingText == "12g")
        interpreter.forget()
        #expect(interpreter.pendingText == "")
    }
}
