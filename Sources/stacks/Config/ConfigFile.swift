internal import CSystem
internal import Glibc
internal import Storage
internal import Text

/// The config file.
struct ConfigFile {
    /// The path of the file; nil if HOME is not set.
    let path: String?

    /// The maximum size of a config file in bytes.
    private static let maximumSize = 1 << 20

    /// Creates a reference to the config file in the user's directories.
    init(in directories: Directories) {
        path = directories.config.map { $0 + "/config.toml" }
    }

    /// Reads the settings; costs a single system call if the file does not exist.
    func read() -> Config {
        var config = Config(path: path)
        guard let path else { return config }
        var status = stat()
        if stat(path, &status) != 0 {
            let error = FileError(path: path, operation: .open, code: errno)
            if error.isMissing { return config }
            return refused(error.cause, in: config)
        }
        config.isPresent = true
        if status.st_mode & S_IFMT == S_IFREG, status.st_size > off_t(Self.maximumSize) {
            return refused(ConfigMessage.tooLarge.text(), in: config)
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try ReadOnlyFile.bytes(at: path, if: .trusted)
        } catch {
            if error.isDistrusted {
                var config = refused(error.cause, in: config)
                config.distrust = config.notices.first
                return config
            }
            return refused(error.isDirectory ? ConfigMessage.isDirectory.text() : error.cause, in: config)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return refused(ConfigMessage.notUTF8.text(), in: config)
        }
        if bytes.contains(0) { return refused(ConfigMessage.containsNUL.text(), in: config) }
        return Config(ConfigText(text), path: path)
    }

    private func refused(_ cause: String, in config: Config) -> Config {
        var config = config
        config.isPresent = true
        config.warnings = [ConfigWarning(sentence: ConfigMessage.fileIgnored.text(cause))]
        return config
    }
}
