import ArgumentParser
import Testing

@testable import stacks

@Suite("Command line: options and commands") struct StacksCommandTests {
    @Test func theCatalogAndTheOptionAreTakenInAnyOrder() throws {
        for arguments in [["--no-resume", "a.json"], ["a.json", "--no-resume"]] {
            let command = try BrowseCommand.parse(arguments)
            #expect(command.catalog == "a.json")
            #expect(command.noResume)
        }
    }

    @Test func withoutArgumentsNothingIsNamed() throws {
        let command = try BrowseCommand.parse([])
        #expect(command.catalog == nil)
        #expect(!command.noResume)
    }

    @Test func whatIsUnknownIsRefused() {
        #expect(throws: (any Error).self) { try BrowseCommand.parse(["--colour"]) }
        #expect(throws: (any Error).self) { try BrowseCommand.parse(["a.json", "b.json"]) }
    }
}
