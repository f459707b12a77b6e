import TestSupport
import Testing

/// A catalog of novels, and a server of Tests/Servers to publish it to.
struct PublishingStage {
    let sandbox: Sandbox
    let server: ServerProcess
    let catalog: String
    private let directory: TemporaryDirectory

    /// Starts the server, whose script gets a directory and `arguments`.
    init(script: String, _ arguments: String...) throws {
        (sandbox, directory) = (try Sandbox(), try TemporaryDirectory())
        server = try ServerProcess(script: script, arguments: [directory.path] + arguments)
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    /// Runs the program.
    func stacks(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacksOfTests] + arguments)
    }

    /// Publishes the catalog.
    func publish(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacksOfTests, "publish", catalog] + arguments)
    }
}
