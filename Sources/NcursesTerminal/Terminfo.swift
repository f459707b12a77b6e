internal import CNcurses

/// What the description of the terminal says, by the names of terminfo(5).
enum Terminfo {
    /// The sequence of a capability, with these numbers in it where it takes any; empty where the terminal lacks it.
    static func sequence(_ name: String, _ first: Int = 0, _ second: Int = 0) -> String {
        cn_capability_with(name, Int32(first), Int32(second)).map { withoutPadding(String(cString: $0)) } ?? ""
    }

    /// A sequence without the delays "$<5>" that only hardware needs.
    private static func withoutPadding(_ sequence: String) -> String {
        guard sequence.utf8.contains(UInt8(ascii: "$")) else { return sequence }
        let parts = sequence.split(separator: "$<", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            text + part[(part.firstIndex(of: ">").map(part.index(after:)) ?? part.startIndex)...]
        }
    }
}
