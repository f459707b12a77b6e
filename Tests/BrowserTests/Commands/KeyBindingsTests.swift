import Catalog
import Search
import Testing

@testable import Browser
@testable import Search
@testable import TerminalUI

@Suite("Key bindings")
struct KeyBindingsTests {
    private func keys(_ text: String) -> [Key] { KeyBindings.sequence(of: text) }

    @Test func commandsHaveTheKeysOfTheirDeclarationInItsOrder() {
        #expect(KeyBindings.standard.keys(of: .favourite) == [[.character("t")], [.character("*")]])
        #expect(KeyBindings.standard.keys(of: .move(.top)) == [[.character("g"), .character("g")], [.home]])
        #expect(KeyBindings.standard.command(of: [.pageDown]) == .move(.pageDown))
        #expect(KeyBindings.standard.command(of: [.character("g")]) == nil)
    }

    @Test func aReassignedKeyIsUnboundFromItsPreviousCommand() {
        var bindings = KeyBindings.standard
        bindings.bind(keys("*"), to: .search)
        #expect(bindings.command(of: keys("*")) == .search)
        #expect(bindings.keys(of: .favourite) == [keys("t")])
        #expect(bindings.keys(of: .search) == [keys("/"), keys("*")])
    }

    @Test func aKeyThatACommandGetsAgainIsItsLastOne() {
        var bindings = KeyBindings.standard
        bindings.bind(keys("t"), to: .favourite)
        #expect(bindings.keys(of: .favourite) == [keys("*"), keys("t")])
    }

    @Test func commandsOfDifferentContextsCanHaveTheSameKeys() {
        func given(_ context: CommandContext) -> Command? {
            if case .command(let command) = KeyBindings.standard.match(keys("J"), in: context) { command } else { nil }
        }
        #expect(given(.books) == .scrollDetail(.down))
        #expect(given(.lists) == .moveList(.down))
        #expect(given(.columns) == .moveColumn(.down))
        var bindings = KeyBindings.standard
        bindings.bind(keys("J"), to: .resizeColumn(.wider))
        #expect(bindings.keys(of: .moveColumn(.down)).isEmpty)
        #expect(bindings.keys(of: .scrollDetail(.down)) == [keys("J")])
    }

    @Test func anEmptySequenceBindsNothing() {
        var bindings = KeyBindings()
        bindings.bind([], to: .quit)
        #expect(bindings.keys(of: .quit).isEmpty)
    }

    @Test func anUnboundSequenceDoesNotWaitForFurtherKeys() {
        var bindings = KeyBindings()
        bindings.bind(keys("gg"), to: .move(.top))
        bindings.bind(keys("gi"), to: .forward)
        bindings.unbind(keys("gg"))
        guard case .incomplete = bindings.match(keys("g"), in: .books) else {
            Issue.record("gi is still there")
            return
        }
        bindings.unbind(keys("gi"))
        guard case .none = bindings.match(keys("g"), in: .books) else {
            Issue.record("nothing begins with g")
            return
        }
        #expect(bindings.keys(of: .move(.top)).isEmpty)
    }

    @Test func aSequenceAndItsPrefixExcludeEachOther() {
        var bindings = KeyBindings()
        bindings.bind(keys("st"), to: .sort(.title))
        bindings.bind(keys("sSt"), to: .thenSort(.title))
        bindings.bind(keys("t"), to: .favourite)
        #expect(bindings.sequences(excludedBy: keys("s")) == [keys("st"), keys("sSt")])
        #expect(bindings.sequences(excludedBy: keys("tt")) == [keys("t")])
        #expect(bindings.sequences(excludedBy: keys("st")).isEmpty)
        #expect(bindings.sequences(excludedBy: keys("S")).isEmpty)
    }
}
