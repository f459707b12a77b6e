internal import Graphemes
internal import JSON
internal import Storage
internal import Text

/// The library servers that come with stacks as names of catalogs.
struct LibraryTargets {
    /// A server.
    struct Target: Hashable {
        /// The name, such as `loc`.
        let name: String
        /// The name for display.
        let label: String
        /// The address.
        let address: String
        /// The public document that the address is from.
        let document: String
        /// Whether stacks was tested with the server itself.
        let isTested: Bool
        /// Whether the browser looks books up in it, unless the config file names other sources.
        let isForLookup: Bool
    }

    /// The servers in the order of the file.
    let targets: [Target]

    /// Reads the file that comes with stacks.
    init() {
        let bytes = BundledCatalog.path(of: "targets.json").flatMap { try? ReadOnlyFile.bytes(at: $0) }
        self.init(parsing: bytes ?? [])
    }

    /// Parses the file; entries without a name and address are left out.
    init(parsing bytes: some Sequence<UInt8>) {
        targets = (JSONValue(parsing: bytes)?["targets"]?.elements ?? []).compactMap { entry in
            guard let name = entry["name"]?.string, let address = entry["address"]?.string else { return nil }
            return Target(
                name: name, label: entry["label"]?.string ?? name, address: address,
                document: entry["document"]?.string ?? "", isTested: entry["tested"]?.boolean ?? false,
                isForLookup: entry["lookup"]?.boolean ?? false)
        }
    }

    /// Returns the address of the server with this name; nil if there is none.
    func address(named name: String) -> String? { targets.first { $0.name == name }?.address }

    /// One line per server: name, label, whether it was tested, address, and document.
    ///
    /// - Parameter catalogs: The catalogs of the config file, which take precedence.
    func text(overriddenBy catalogs: [String: String]) -> String {
        targets.map { target in
            let state =
                catalogs[target.name] != nil ? "replaced by config.toml" : target.isTested ? "tested" : "untested"
            let fields = [target.name, target.label, state, target.address, target.document]
            return fields.map(\.sanitized).joined(separator: "\t") + "\n"
        }.joined()
    }
}
