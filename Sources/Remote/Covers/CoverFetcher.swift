internal import ConnectorProtocol
internal import Glibc
internal import Storage
internal import Threading

/// Fetches covers from web servers by the connector program.
final class CoverFetcher: Sendable {
    private let program: ConnectorProgram
    private let servers: CoverLoader.Servers
    private let running = Locked<ConnectorConversation?>(nil)

    /// Creates a fetcher; the program is started for the first cover.
    init(_ program: ConnectorProgram, _ servers: CoverLoader.Servers) {
        (self.program, self.servers) = (program, servers)
    }

    /// Fetches the file at an address. Called on one thread at a time.
    ///
    /// - Throws: `ConnectorFailure`.
    func bytes(at address: String) throws(ConnectorFailure) -> [UInt8] {
        let folder = try ConnectorFailure.ofCache { () throws(FileError) in
            try PrivateFolder(in: program.cache + "/exports")
        }
        let path = folder.path + "/picture"
        // Started for each cover: it reads the settings of the network at its start, and may reach any server then.
        let conversation = try ConnectorConversation(
            program: program.path, cache: folder.path, sources: [address], credentials: servers.credentials)
        running.withLock { $0 = conversation }
        defer { end() }
        try conversation.ask(.fetch(address: address, catalog: servers.catalog, path: path, limit: CoverFile.limit))
        return try ConnectorFailure.ofCover { () throws(FileError) in
            try ReadOnlyFile.bytes(at: path, if: .own, upTo: CoverFile.limit)
        }
    }

    /// Ends the program.
    func end() {
        let conversation = running.withLock { conversation in
            defer { conversation = nil }
            return conversation
        }
        conversation?.end()
    }
}
