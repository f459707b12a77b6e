internal import CNcurses

/// The terminfo entry of the terminal, by the capability names of terminfo(5).
enum Terminfo {
    /// Returns the sequence of a capability with up to two numeric parameters, or "" if the terminal lacks it.
    static func sequence(_ name: String, _ first: Int = 0, _ second: Int = 0) -> String {
        cn_capability_with(name, Int32(first), Int32(second)).map { withoutPadding(String(cString: $0)) } ?? ""
    }

    /// Returns the sequence without padding delays such as "$<5>", which only hardware terminals need.
    private static func withoutPadding(_ sequence: String) -> String {
        guard sequence.utf8.contains(UInt8(ascii: "$")) else { return sequence }
        let parts = sequence.split(separator: "$<", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            text + part[(part.firstIndex(of: ">").map(part.index(after:)) ?? part.startIndex)...]
        }
    }
}
