internal import ConnectorProtocol

/// The address of a database on an SRU server: `sru+https://HOST/PATH?version=1.2&recordSchema=marcxml`. Parameters such as
/// `index-isbn=pica.isb`, which are not sent, name the index of a field, where the server's own description does not.
struct SRUAddress: Hashable {
    private let address: RecordServerAddress
    /// The protocol version that the user wants.
    let version: String?
    /// The record schema that the user wants.
    let schema: String?
    /// The indexes that the address names.
    let indexes: [LibraryField: SRUDescription.Index]

    /// Parses an address whose scheme is `sru+http` or `sru+https`; fails for others.
    init?(_ text: String) {
        guard var address = RecordServerAddress(text, of: "sru") else { return nil }
        var (version, schema): (String?, String?)
        var indexes: [LibraryField: SRUDescription.Index] = [:]
        address.drop { parameter in
            switch parameter.name {
            case "version": version = parameter.value
            case "recordschema": schema = parameter.value
            // These are different in each request.
            case "operation", "query", "startrecord", "maximumrecords", "recordpacking", "sortkeys": break
            case let name where name.hasPrefix(Self.indexPrefix):
                guard let field = LibraryField(rawValue: String(name.dropFirst(Self.indexPrefix.count))) else { break }
                // A relation may follow: "bib.isbn all".
                let words = parameter.value.split(separator: " ", maxSplits: 1).map(String.init)
                guard let index = words.first else { break }
                indexes[field] = .init(name: index, sorts: false, relations: Set(words.dropFirst()))
            default: return false
            }
            return true
        }
        (self.address, self.version, self.schema, self.indexes) = (address, version, schema, indexes)
    }

    private static let indexPrefix = "index-"

    /// The base address without a query.
    var base: String { address.base }

    /// The host, with its port if the address has one.
    var host: String { address.host }

    /// Returns the request with these parameters.
    func request(_ pairs: [(name: String, value: String)]) -> HTTPRequest { address.request(pairs) }
}
