import ArgumentParser
import Testing

@testable import stacks

@Suite("Command line: options and commands") struct StacksCommandTests {
    @Test func catalogAndOptionsMayBeInAnyOrder() throws {
        for arguments in [["--no-resume", "a.json"], ["a.json", "--no-resume"]] {
            let command = try BrowseCommand.parse(arguments)
            #expect(command.catalog == "a.json")
            #expect(command.noResume)
        }
    }

    @Test func withoutArgumentsThereIsNoCatalog() throws {
        let command = try BrowseCommand.parse([])
        #expect(command.catalog == nil)
        #expect(!command.noResume)
    }

    @Test func coversAreDecidedByTheConfigUnlessAnOptionSwitchesThemOff() throws {
        #expect(try BrowseCommand.parse([]).session.showsCovers == nil)
        #expect(try BrowseCommand.parse(["--no-covers"]).session.showsCovers == false)
        #expect(throws: (any Error).self) { try BrowseCommand.parse(["--covers"]) }
    }

    @Test func unknownOptionsAreRejected() {
        #expect(throws: (any Error).self) { try BrowseCommand.parse(["--colour"]) }
        #expect(throws: (any Error).self) { try BrowseCommand.parse(["a.json", "b.json"]) }
    }
}
