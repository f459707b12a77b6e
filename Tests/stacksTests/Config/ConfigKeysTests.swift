import Browser
import Catalog
import Search
import TerminalUI
import Testing

@testable import Search
@testable import stacks

@Suite("Config file: keys") struct ConfigKeysTests {
    private func keys(_ wishes: (Command, [String])...) -> ConfigKeys {
        ConfigKeys(
            wishes.enumerated().map { .init(command: $0.element.0, keys: $0.element.1, line: $0.offset + 1) })
    }

    private func warnings(_ keys: ConfigKeys) -> [String] { keys.warnings.map { "\($0.line ?? 0): \($0.sentence)" } }

    @Test func configuredKeysReplaceTheStandardKeys() {
        let keys = keys((.favourite, ["^t", "Ins"]))
        #expect(keys.bindings.keys(of: .favourite) == [[.control("t")], [.insert]])
        // The binding of the key on other screens is kept.
        #expect(keys.bindings.commands(of: [.character("t")]) == [.chooseTheirs])
        #expect(keys.warnings.isEmpty)
    }

    @Test func anEmptyListUnbindsTheCommand() {
        let keys = keys((.suspend, []))
        #expect(keys.bindings.keys(of: .suspend).isEmpty)
        #expect(keys.warnings.isEmpty)
    }

    @Test func aKeyGoesToTheCommandThatItIsSetFor() {
        let keys = keys((.search, ["*"]))
        #expect(keys.bindings.keys(of: .search) == [[.character("*")]])
        #expect(keys.bindings.keys(of: .favourite) == [[.character("t")]])
        #expect(keys.warnings.isEmpty)
    }

    @Test func twoCommandsCanExchangeTheirKeys() {
        let keys = keys((.move(.down), ["k"]), (.move(.up), ["j"]))
        #expect(keys.bindings.command(of: [.character("k")]) == .move(.down))
        #expect(keys.bindings.command(of: [.character("j")]) == .move(.up))
        #expect(keys.warnings.isEmpty)
    }

    @Test func aKeySetTwiceBelongsToTheFirstCommand() {
        let keys = keys((.search, ["x"]), (.quit, ["x", "X"]))
        #expect(keys.bindings.command(of: [.character("x")]) == .search)
        #expect(keys.bindings.keys(of: .quit) == [[.character("X")]])
        #expect(warnings(keys) == ["2: x for quit is ignored: it is already bound to search (line 1)"])
    }

    @Test func aRepeatedKeyOfOneCommandIsHarmless() {
        let keys = keys((.quit, ["x", "x"]))
        #expect(keys.bindings.keys(of: .quit) == [[.character("x")]])
        #expect(keys.warnings.isEmpty)
    }

    @Test func aSequenceStartingWithAnotherConfiguredKeyIsReported() {
        let keys = keys((.search, ["x"]), (.quit, ["xx", "X"]))
        #expect(keys.bindings.keys(of: .quit) == [[.character("X")]])
        #expect(warnings(keys) == ["2: xx for quit is ignored: x is already bound to search (line 1)"])
    }

    @Test func aPrefixOfAnotherConfiguredSequenceIsReported() {
        let keys = keys((.search, ["ZZ"]), (.quit, ["Z", "X"]))
        #expect(keys.bindings.keys(of: .quit) == [[.character("X")]])
        #expect(
            warnings(keys) == ["2: Z for quit is ignored: it would disable ZZ (search (line 1))"])
    }

    @Test func aConfiguredKeyUnbindsLongerSequences() {
        let keys = keys((.quit, ["a"]))
        #expect(keys.bindings.command(of: [.character("a")]) == .quit)
        #expect(keys.bindings.keys(of: .same(.year)).isEmpty)
        #expect(
            warnings(keys) == [
                "1: binding quit to a disables aa (same-author) and 3 other sequences starting with a"
            ])
    }

    @Test func aConfiguredSequenceUnbindsItsPrefix() {
        let keys = keys((.quit, ["tt"]))
        #expect(keys.bindings.keys(of: .favourite) == [[.character("*")]])
        #expect(warnings(keys) == ["1: binding quit to tt disables t (favourite)"])
    }

    @Test func replacedStandardKeysAreFree() {
        let keys = keys((.quit, ["ee"]), (.note, ["^e"]))
        #expect(keys.warnings.isEmpty)
        #expect(keys.bindings.command(of: [.character("e"), .character("e")]) == .quit)
    }

    @Test func theInterruptKeyCannotBeRebound() {
        for keys in [keys((.interrupt, [])), keys((.interrupt, ["^g"]))] {
            #expect(keys.bindings.command(of: [.control("c")]) == .interrupt)
            #expect(keys.warnings.isEmpty)
        }
        let keys = keys((.quit, ["^c", "^x ^c", "x"]))
        #expect(keys.bindings.command(of: [.control("c")]) == .interrupt)
        #expect(keys.bindings.keys(of: .quit) == [[.character("x")]])
        #expect(
            warnings(keys) == [
                "1: ^c cannot be bound to quit: it always interrupts",
                "1: “^x ^c” can never be typed, as ^c interrupts",
            ])
    }

    @Test func escapeCannotBeInsideASequence() {
        let wishes = keys((.quit, ["g Esc", "x"]))
        #expect(wishes.bindings.keys(of: .quit) == [[.character("x")]])
        #expect(warnings(wishes) == ["1: g Esc can never be typed, as Esc cancels"])
        #expect(keys((.quit, ["g Esc"]), (.cancel, ["^g"])).warnings.isEmpty)
    }

    @Test func namesOfCommandsAreWords() {
        #expect(Command.copy(.isbn).configName == "copy-isbn")
        #expect(Command.selectAll.configName == "select-all")
        for command in Command.allCases {
            let words = command.configName.split(separator: "-", omittingEmptySubsequences: false)
            let areWords = words.allSatisfy { $0.count > 1 && $0.allSatisfy { ("a"..."z").contains($0) } }
            #expect(areWords, "\(command.configName)")
        }
    }

    @Test(
        arguments: [
            ("copyISBN", .copy(.isbn)), ("copy-i-s-b-n", .copy(.isbn)), ("mark", .selectRow),
            ("mark-range", .selectRange), ("markAll", .selectAll), ("setPlace", .setBookmark),
            ("go-to-place", .goToBookmark), ("saveQuery", .saveSearch), ("halfPageDown", .move(.halfPageDown)),
            ("thenByTitle", .thenSort(.title)),
        ] as [(String, Command)])
    func formerNamesStayValid(name: String, command: Command) {
        #expect(Command(configName: name) == command)
    }

    @Test func commandsHaveTheirNamesWithHyphens() {
        #expect(Command.sort(.title).configName == "sort-by-title")
        #expect(Command.quit.configName == "quit")
        #expect(Command(configName: "sort-by-title") == .sort(.title))
        #expect(Command(configName: "sortByTitle") == .sort(.title))
        #expect(Command(configName: "Sort by title") == nil)
        for command in Command.allCases { #expect(Command(configName: command.configName) == command) }
    }
}

struct ConfigKeyTextTests {
    private func syntaxError(_ text: String) -> String? {
        do throws(ConfigKeyText.SyntaxError) {
            _ = try ConfigKeyText.sequence(text)
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test func keysAreReadByTheirNames() throws {
        let expected: [(String, [Key])] = [
            ("t", [.character("t")]), ("^d", [.control("d")]), ("^D", [.control("d")]), ("PgDn", [.pageDown]),
            ("F1", [.function(1)]), ("F12", [.function(12)]), ("gg", [.character("g"), .character("g")]),
            ("sSt", [.character("s"), .character("S"), .character("t")]), ("Space", [.character(" ")]),
            ("Esc", [.escape]), ("^x ^s", [.control("x"), .control("s")]), ("g Home", [.character("g"), .home]),
            (" g  g ", [.character("g"), .character("g")]), ("↓", [.down]), ("Shift-Tab", [.backTab]),
            ("é", [.character("é")]), ("^", [.character("^")]), ("0", [.character("0")]),
            ("u p", [.character("u"), .character("p")]), ("g5", [.character("g"), .character("5")]),
            ("a b c d e", "abcde".map { .character($0) }),
        ]
        for (text, keys) in expected { #expect(try ConfigKeyText.sequence(text) == keys, "\(text)") }
    }

    @Test func unknownKeyNamesAreReported() {
        let meant = [
            "PgDwn": "PgDn", "pgdn": "PgDn", "PageDown": "PgDn", "esc": "Esc", "Escape": "Esc", "up": "Up",
            "return": "Enter", "<Enter>": "Enter", "ctrl-d": "^d", "<C-d>": "^d", "Ctrl+D": "^d", "f5": "F5",
            "F99": "F1", "^i": "Tab", "^m": "Enter", "^[": "Esc", "spcae": "Space",
        ]
        for (text, name) in meant {
            #expect(syntaxError(text) == "unknown key “\(text)”. Did you mean “\(name)”?")
        }
        #expect(syntaxError("Hyper-X-Y") == "unknown key “Hyper-X-Y”; the guide lists all keys")
        #expect(syntaxError("^dd") == "unknown key “^dd”; the guide lists all keys")
        #expect(syntaxError("g PgDwn") == "unknown key “PgDwn”. Did you mean “PgDn”?")
    }

    @Test func keysThatCannotBeBoundAreReported() {
        #expect(syntaxError("5") == "“5” cannot be bound, as numbers are counts")
        #expect(syntaxError("1x") == "“1x” cannot be bound, as numbers are counts")
        #expect(syntaxError("") == "no key between the quotation marks; the space bar is \"Space\"")
        #expect(syntaxError("  ") == "no key between the quotation marks; the space bar is \"Space\"")
    }

    @Test func theKeysThatCommandsDeclareAreReadAsTheyAre() throws {
        for text in Command.allCases.flatMap(\.info.keys) {
            #expect(try ConfigKeyText.sequence(text) == KeyBindings.sequence(of: text), "\(text)")
        }
    }
}
