internal import CSystem

/// Returns the name of the files that belong to `text`, such as an address: its SHA-256 (FIPS 180-4) in hexadecimal
/// digits, since nobody can find another text with the same one.
public func hashedName(of text: String) -> String {
    var text = text
    var digest = [UInt8](repeating: 0, count: 32)
    text.withUTF8 { cs_sha256($0.baseAddress, $0.count, &digest) }
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Returns the name that earlier versions gave to the files that belong to `text`. It takes no time to find a text with
/// the same name: such a file is used only if its contents say that it belongs to `text`.
public func earlierName(of text: String) -> String { checksum(of: text.utf8).hexadecimal }
