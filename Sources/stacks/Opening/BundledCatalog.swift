internal import Storage

/// The catalog that comes with stacks.
enum BundledCatalog {
    /// Its path, found from where the running program is; nil where it is not there.
    ///
    /// An installed program has it in ../share/stacks, a built one in the Resources above its build directory.
    static var path: String? {
        guard let program = resolvedPath("/proc/self/exe") else { return nil }
        let places = program.split(separator: "/").dropLast()
        let installed = "/" + places.dropLast().joined(separator: "/") + "/share/stacks/catalog.json"
        let built = (1...4).map { "/" + places.dropLast($0).joined(separator: "/") + "/Resources/catalog.json" }
        return ([installed] + built).lazy.compactMap(resolvedPath).first
    }
}
