internal import CCurl
internal import ConnectorProtocol
internal import Glibc

/// The status code and header fields of a response (RFC 9110).
struct HTTPHead {
    /// The status code, such as 200.
    var status = 0
    /// The reason phrase; HTTP/2 has none.
    var reason = ""
    /// Whether the protocol marks the end of each response, as HTTP/2 and HTTP/3 do.
    private var marksEnd = false
    private var fields: [(name: String, value: String)] = []
    /// The size so far, in bytes.
    private var size = 0

    /// The maximum size in bytes; servers send less than a tenth of it.
    private static let limit = 1 << 18

    /// Adds a line of the header, except for a field with control characters: parts of a field may be sent back, and a
    /// proxy may take a bare CR for the end of a line (RFC 9110, section 5.5). A status line replaces the header, because another response follows, for example
    /// after a redirect.
    ///
    /// - Returns: Whether the header is within the size limit.
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        if size > Self.limit { return false }
        let text = String(decoding: line, as: UTF8.self).trimmingLineEnd
        if text.hasPrefix("HTTP/") {
            let parts = text.split(separator: " ", maxSplits: 2)
            let size = size
            self = HTTPHead()
            self.size = size
            marksEnd = !text.hasPrefix("HTTP/1") && !text.hasPrefix("HTTP/0")
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            reason = parts.count > 2 ? String(parts[2]) : ""
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            if value.isFieldValue { fields.append((text[..<colon].lowercased(), String(value))) }
        }
        return true
    }

    /// Returns the value of the field with this lower-case name; the first one if there are several.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns the values of all fields with this lower-case name.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The version of the content: its entity tag and the date of its last change (RFC 9110, section 8.8).
    var version: SourceVersion { SourceVersion(etag: self["etag"], modified: self["last-modified"]) }

    /// The validator for If-Range, which ensures that the rest of the content belongs to the same version (RFC 9110,
    /// section 13.1.5); nil if the server has none or does not support ranges.
    var validator: String? {
        guard self["accept-ranges"]?.lowercased() != "none" else { return nil }
        if let tag = self["etag"] { return tag.hasPrefix("W/") ? nil : tag }
        return self["last-modified"]
    }

    /// The length of the content in bytes, if known; for a partial response, the length of the whole content.
    var contentLength: Int? {
        let length =
            status == 206
            ? self["content-range"]?.split(separator: "/").last.flatMap { Int($0) }
            : self["content-length"].flatMap { Int($0) }
        return length.flatMap { $0 >= 0 ? $0.clampedByteCount : nil }
    }

    /// Whether the end of the content differs from a closed connection (RFC 9112, section 6.3).
    var hasKnownEnd: Bool { contentLength != nil || self["transfer-encoding"] != nil || marksEnd }

    /// The offset of the first byte of a partial response (RFC 9110, section 14.4); nil for a whole one.
    var firstByte: Int? {
        guard status == 206, let range = self["content-range"], range.hasPrefix("bytes ") else { return nil }
        return Int(range.dropFirst(6).prefix { $0 != "-" })
    }

    /// The time of the response by the clock of the server, in seconds since 1970 (RFC 9110, section 6.6.1).
    var date: Int? {
        guard let date = self["date"].map({ curl_getdate($0, nil) }), date >= 0 else { return nil }
        return date.clampedTime
    }

    /// The delay in seconds before the next request, from the header field Retry-After (RFC 9110, section 10.2.3); at
    /// most one hour.
    var retryAfter: Int? {
        guard let text = self["retry-after"] else { return nil }
        if let seconds = Int(text) { return min(max(0, seconds), 3600) }
        let date = curl_getdate(text, nil)
        return date < 0 ? nil : min(max(0, date - time(nil)), 3600)
    }
}

extension StringProtocol {
    /// Whether the text has no control characters and therefore can be the value of a header field (RFC 9110, section
    /// 5.5).
    var isFieldValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
}

extension String {
    /// The text without trailing line breaks and blanks.
    fileprivate var trimmingLineEnd: String {
        var text = self[...]
        while let last = text.last, last == "\r\n" || last == "\n" || last == "\r" || last == " " || last == "\t" {
            text.removeLast()
        }
        return String(text)
    }
}
