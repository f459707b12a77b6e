internal import Library
internal import Storage

/// The catalog that comes with stacks.
enum BundledCatalog {
    /// The path of the catalog, relative to the running program; nil if the file is missing.
    ///
    /// An installed program has it in ../share/stacks, a development build in Resources above the build directory.
    static var path: String? { path(of: "catalog.json") }

    /// The catalog as one that users change in a copy; nil if the file is missing.
    static func sample(in directories: Directories = .ofEnvironment()) -> SampleCatalog? {
        path.map { SampleCatalog(path: $0, stateDirectory: directories.state) }
    }

    /// Returns the error for a change of the catalog at `path` if that is the bundled one, by whatever path.
    static func refusal(ofChanging path: String) -> CommandError? {
        guard let sample = sample(), sample.isFile(at: path) else { return nil }
        return CommandError(sentence: sample.refusal(of: path), exitStatus: ExitStatus.noPermission)
    }

    /// Checks that a file to write at `path` would not replace the bundled catalog.
    static func checkOutput(_ path: String) throws(CommandError) {
        guard let sample = sample(), sample.isFile(at: path) else { return }
        throw CommandError(
            sentence: Message.sampleNotReplaced.text(abbreviatedPath(path)), exitStatus: ExitStatus.noPermission)
    }

    /// Returns the path of a file that comes with stacks, relative to the running program; nil if it is missing.
    static func path(of name: String) -> String? {
        guard let program = resolvedPath("/proc/self/exe") else { return nil }
        let places = program.split(separator: "/").dropLast()
        let installed = "/" + places.dropLast().joined(separator: "/") + "/share/stacks/" + name
        let built = (1...4).map { "/" + places.dropLast($0).joined(separator: "/") + "/Resources/" + name }
        return ([installed] + built).lazy.compactMap(resolvedPath).first
    }
}
