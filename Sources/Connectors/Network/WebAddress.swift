internal import CCurl

/// HTTP addresses (RFC 3986).
enum WebAddress {
    /// Returns `reference` resolved against `base`, without its fragment; nil if the address is invalid or its scheme
    /// is not http or https.
    static func resolved(_ reference: String, in base: String) -> String? {
        let text = String(reference.prefix { $0 != "#" })
        guard let bytes = cc_resolved(base, text) else { return nil }
        defer { curl_free(bytes) }
        let address = String(cString: bytes)
        return isWeb(address) ? address : nil
    }

    /// Returns the base of addresses within an element: `reference`, its `xml:base`, resolved against the base around it.
    static func resolved(_ reference: String?, in base: String?) -> String? {
        guard let reference else { return base }
        return base.map { resolved(reference, in: $0) } ?? (isWeb(reference) ? reference : nil) ?? base
    }

    /// Returns the text percent-encoded for a query.
    static func escaped(_ text: String) -> String {
        guard let bytes = curl_easy_escape(nil, text, Int32(text.utf8.count)) else { return "" }
        defer { curl_free(bytes) }
        return String(cString: bytes)
    }

    /// Whether an address has the scheme http or https.
    static func isWeb(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
