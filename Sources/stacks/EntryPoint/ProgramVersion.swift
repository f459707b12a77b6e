internal import ConnectorProtocol
internal import Remote
internal import Storage
internal import Text

/// The output of `stacks --version`: the version of stacks, then the state of the connector program.
enum ProgramVersion {
    /// Prints the version. Starts the connector program only to check it.
    ///
    /// - Returns: The exit status.
    static func run() -> Int32 {
        PlainList.write("\(StacksVersion.number)\n\(ConnectorProgram.stateSentence)\n")
    }
}

extension ConnectorProgram {
    /// A sentence about the installed program: what the kernel keeps it from, or why it cannot be used. Starts it.
    static var stateSentence: String {
        guard let program = installedPath else { return CommandMessage.connectorNotInstalled.text() }
        // The program needs a directory that it may write in, but writes nothing here.
        do throws(ConnectorFailure) {
            let conversation = try ConnectorConversation(program: program, cache: "/tmp", sources: [])
            defer { conversation.end() }
            return conversation.confinement.sentence
        } catch {
            return (error.reason == .cannotStart ? CommandMessage.connectorCannotStart : .connectorNotAnswering).text()
        }
    }
}

extension Confinement {
    /// The sentence that names what is in force.
    fileprivate var sentence: String {
        if isMissing { return CommandMessage.connectorNotConfined.text() }
        var means: [String] = []
        if landlock > 0 {
            // The versions that brought rules for them.
            let objects = ["files"] + (landlock >= 4 ? ["TCP"] : []) + (landlock >= 6 ? ["signals"] : [])
            means.append("Landlock \(landlock) (\(objects.joined(separator: ", ")))")
        }
        if filtersCalls { means.append("seccomp") }
        return CommandMessage.connectorConfined.text(means.joined(separator: " and "))
    }
}
