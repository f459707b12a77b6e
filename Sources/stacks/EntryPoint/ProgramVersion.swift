internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import Storage
internal import Text

/// The output of `stacks --version`: the version of stacks, then the state of the connector program.
enum ProgramVersion {
    /// Prints the version. Starts the connector program only to check it.
    ///
    /// - Returns: The exit status.
    static func run() -> Int32 {
        return PlainList.write("\(StacksVersion.number)\n\(connector.text())\n")
    }

    private static var connector: CommandMessage {
        guard let program = ConnectorProgram.installedPath else { return .connectorNotInstalled }
        // The program needs a directory that it may write in, but writes nothing here.
        do throws(ConnectorFailure) {
            let conversation = try ConnectorConversation(program: program, cache: "/tmp")
            defer { conversation.end() }
            return conversation.isConfined ? .connectorConfined : .connectorNotConfined
        } catch {
            return error.reason == .cannotStart ? .connectorCannotStart : .connectorNotAnswering
        }
    }
}
