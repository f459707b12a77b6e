internal import Catalog
internal import Graphemes
internal import Library
internal import Storage

/// What `stacks --version` prints: the version, then what there is of the connector program.
enum ProgramVersion {
    /// The version of stacks.
    static let number = "0.1.0"

    /// Prints the version. The connector program is started for this alone.
    ///
    /// - Returns: The exit status.
    static func run() -> Int32 {
        useUTF8Locale()
        return PlainList.write("\(number)\n\(connector.text())\n")
    }

    private static var connector: Message {
        guard let program = ForeignSource.program else { return .connectorNotInstalled }
        // It may write in one directory, and writes nothing for this.
        guard let conversation = try? ConnectorConversation(program: program, cache: "/tmp") else {
            return .connectorNotAnswering
        }
        defer { conversation.end() }
        return conversation.isConfined ? .connectorConfined : .connectorNotConfined
    }
}
