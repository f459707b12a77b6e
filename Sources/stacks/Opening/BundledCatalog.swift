internal import Storage

/// The catalog that comes with stacks.
enum BundledCatalog {
    /// The path of the catalog, relative to the running program; nil if the file is missing.
    ///
    /// An installed program has it in ../share/stacks, a development build in Resources above the build directory.
    static var path: String? { path(of: "catalog.json") }

    /// Returns the path of a file that comes with stacks, relative to the running program; nil if it is missing.
    static func path(of name: String) -> String? {
        guard let program = resolvedPath("/proc/self/exe") else { return nil }
        let places = program.split(separator: "/").dropLast()
        let installed = "/" + places.dropLast().joined(separator: "/") + "/share/stacks/" + name
        let built = (1...4).map { "/" + places.dropLast($0).joined(separator: "/") + "/Resources/" + name }
        return ([installed] + built).lazy.compactMap(resolvedPath).first
    }
}
