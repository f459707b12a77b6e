internal import ConnectorProtocol

/// The reason why a library server could not do what it was asked for.
struct ServerDiagnostic: Error, Hashable {
    /// The meaning of a diagnostic, as far as it changes what is done next.
    enum Meaning {
        /// The server does not have an index, or not in this combination.
        case index
        /// The server does not have the schema or syntax for records.
        case schema
        /// The first requested record is after the last one.
        case range
        /// The server does not have the protocol version.
        case version
        /// The server requires another user or password.
        case access
        case other
    }

    /// The meaning.
    var meaning: Meaning
    /// The message in words.
    var message: String
    /// Details, such as the name of an index.
    var details: String

    /// The failure of a request because of this diagnostic, in the words of the server.
    var failure: ConnectorFailure {
        ConnectorFailure(.server, .diagnostic, detail: details.isEmpty ? message : "\(message): \(details)")
    }

    /// Creates a diagnostic that has a message only.
    init(message: String) { (meaning, self.message, details) = (.other, message, "") }

    /// Creates a diagnostic of SRU from its element; fails for other elements.
    ///
    /// - Parameter text: Returns the standard message for a number.
    init?(sru element: XMLElement, _ text: (Int) -> String?) {
        guard element.name == "diagnostic" else { return nil }
        let uri = element.texts("uri").first ?? ""
        let number = uri.hasPrefix("info:srw/diagnostic/1/") ? uri.split(separator: "/").last.flatMap { Int($0) } : nil
        message = element.texts("message").first ?? number.flatMap(text) ?? (uri.isEmpty ? "unknown diagnostic" : uri)
        details = element.texts("details").first ?? ""
        // The list of the standard: www.loc.gov/standards/sru/diagnostics/diagnosticsList.html
        meaning =
            switch number {
            case 5: .version
            case 15, 16, 18, 19, 20, 22: .index
            case 61: .range
            case 66, 67, 71: .schema
            default: .other
            }
    }

    /// Creates a diagnostic of Z39.50 from its number in the set Bib-1.
    init(bib1 number: Int, message: String, details: String) {
        (self.message, self.details) = (message, details)
        // The list of the standard: www.loc.gov/z3950/agency/defns/bib1diag.html
        meaning =
            switch number {
            case 113, 114, 117, 118, 119, 120, 121, 122, 123: .index
            case 13: .range
            case 25, 26, 227, 238, 239: .schema
            case 101, 1010, 1011, 1012, 1014: .access
            default: .other
            }
    }
}
