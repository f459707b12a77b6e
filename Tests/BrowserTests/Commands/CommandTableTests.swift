import Foundation
import Testing

@testable import Browser
@testable import TerminalUI

@Suite("Command table")
struct CommandTableTests {
    /// The keys of vim for these, H, M and L, have other commands.
    private static let unbound: Set<Command> = [.move(.goTo(.top)), .move(.goTo(.middle)), .move(.goTo(.bottom))]

    @Test func everyKeyThatACommandNamesExists() {
        for command in Command.allCases {
            // A command without a key opens a screen, and is found in the palette, or waits for a key of the user.
            #expect(!command.info.keys.isEmpty || command.info.opens != nil || Self.unbound.contains(command))
            for keys in command.info.keys {
                #expect(!KeyBindings.sequence(of: keys).isEmpty)
                // A name that is not a key is split into letters; this is only intended after a prefix key.
                for part in keys.split(separator: " ").map(String.init) where Key(name: part) == nil {
                    #expect("gzsSaym".contains(part.prefix(1)) && part.count <= 3, "\(keys)")
                }
            }
        }
    }

    @Test(arguments: CommandContext.allCases)
    func noTwoCommandsOfAContextShareAKey(context: CommandContext) {
        let keys = CommandInfo.all.filter { $0.contexts.contains(context) }.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test func aCommandThatHasTheKeysOfAnotherAppliesElsewhere() {
        for info in CommandInfo.all {
            guard let like = info.like?.info else { continue }
            #expect(info.keys == like.keys && info.contexts.isDisjoint(with: like.contexts), "\(info.title)")
        }
    }

    @Test func commandNamesAreUnique() {
        #expect(Set(CommandInfo.all.map(\.name)).count == CommandInfo.all.count)
        #expect(Set(Command.allCases).count == CommandInfo.all.count)
    }

    @Test func hintsAreApplicableCommands() {
        for info in CommandInfo.all {
            #expect(info.hint?.contexts.isSubset(of: info.contexts) ?? true, "\(info.title)")
        }
    }

    @Test func everyCommandHasItsTitleAndHelp() {
        let titles = Command.allCases.map(\.info.title)
        #expect(Set(titles).count == titles.count)
        for command in Command.allCases { #expect(command.info.help.hasSuffix(".")) }
    }

    @Test func theHelpScreenListsEveryCommandWithItsKeys() {
        let paragraphs = HelpScreen.paragraphs(of: .standard)
        #expect(paragraphs.count { !$0.label.isEmpty } == Command.allCases.count)
        #expect(paragraphs.contains { $0.label == "t *" && $0.text.contains("favourite") })
        #expect(paragraphs.contains { $0.label == "^f PgDn" })
    }

    @Test func hintsAreOfTheContext() {
        #expect(
            CommandInfo.hints(in: .books).map(\.hint.text) == [
                "open", "lists", "favourite", "add a book", "edit", "delete", "save", "search", "sort", "close", "help",
                "reload", "quit",
            ])
        #expect(
            CommandInfo.hints(in: .lists).map(\.hint.text) == [
                "open", "new shelf", "rename", "delete", "save", "export", "help", "quit",
            ])
        #expect(
            CommandInfo.hints(in: .detail).map(\.hint.text) == [
                "down", "next link", "open", "back", "lists", "favourite", "edit", "delete", "save", "help",
            ])
        #expect(
            CommandInfo.hints(in: .clashes).map(\.hint.text) == [
                "mine", "theirs", "all mine", "all theirs", "save", "close",
            ])
        #expect(CommandInfo.hints(in: .help).map(\.hint.text) == ["down", "search", "close"])
        #expect(CommandInfo.hints(in: .columns).map(\.hint.text) == ["move", "width", "show or hide", "close"])
        #expect(CommandInfo.hints(in: .statistics).map(\.hint.text) == ["down", "goal", "close"])
        #expect(CommandInfo.hints(in: .guide).map(\.hint.text) == ["down", "next link", "open", "search", "close"])
        #expect(CommandInfo.hints(in: .palette).map(\.hint.text) == ["close"])
    }

    @Test func theGuideListsTheKeysOfEveryCommand() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let page = try String(
            contentsOf: folder.appending(path: "../../../Resources/guide/keys.md"), encoding: .utf8)
        for info in CommandInfo.all {
            #expect(page.contains(info.markdownRow), "run make guide: keys.md has no row \(info.markdownRow)")
        }
    }

    @Test func aRowOfTheGuideHasKeysTitleAndHelp() {
        #expect(
            Command.columns.info.markdownRow.hasPrefix("| `\\|` | Columns | "), "\(Command.columns.info.markdownRow)")
        #expect(Command.messages.info.markdownRow.hasPrefix("| no key | Messages | "))
    }
}
