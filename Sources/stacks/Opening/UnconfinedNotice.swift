internal import ConnectorProtocol
internal import Glibc
internal import Remote
internal import Storage
internal import Text

/// The notice that nothing confines the connector program; it is given once.
enum UnconfinedNotice {
    /// Returns the notice after a catalog was opened, or a command was run; nil if the program was not started, is confined, or the notice was
    /// given before, of which a file in the cache is the sign.
    static func text(in directories: Directories) -> String? {
        guard ConnectorConversation.latestConfinement?.isMissing == true else { return nil }
        if let cache = directories.cache {
            try? makeDirectory(cache)
            let sign = open(cache + "/unconfined", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if sign < 0, errno == EEXIST { return nil }
            if sign >= 0 { close(sign) }
        }
        return CommandMessage.connectorUnconfined.text()
    }
}
