import ArgumentParser
import Testing

@testable import stacks

struct StacksCommandTests {
    @Test func theCatalogAndTheOptionAreTakenInAnyOrder() throws {
        for arguments in [["--no-resume", "a.json"], ["a.json", "--no-resume"]] {
            let command = try StacksCommand.parse(arguments)
            #expect(command.catalog == "a.json")
            #expect(command.noResume)
        }
    }

    @Test func withoutArgumentsNothingIsNamed() throws {
        let command = try StacksCommand.parse([])
        #expect(command.catalog == nil)
        #expect(!command.noResume)
    }

    @Test func whatIsUnknownIsRefused() {
        #expect(throws: (any Error).self) { try StacksCommand.parse(["--colour"]) }
        #expect(throws: (any Error).self) { try StacksCommand.parse(["a.json", "b.json"]) }
    }
}
