/// The output of a program to a terminal, split into text, control sequences and forbidden bytes.
struct TerminalStream {
    /// The text without the sequences.
    private(set) var text = ""
    /// The control sequences, including the escape character.
    private(set) var sequences: Set<String> = []
    /// Descriptions of forbidden output other than sequences.
    private(set) var defects: [String] = []

    /// Splits `bytes`.
    init(_ bytes: [UInt8]) {
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x1B:
                let length = Self.lengthOfSequence(in: bytes[index...])
                if length == 0 { defects.append("an escape before \(bytes[index...].prefix(8))") }
                sequences.insert(String(decoding: bytes[(index - 1)..<(index + length)], as: UTF8.self))
                index += length
            // ncurses moves the cursor with them.
            case 0x08, 0x0A, 0x0D: break
            case 0x00...0x1F, 0x7F: defects.append("the control \(byte) before \(bytes[index...].prefix(8))")
            default: plain.append(byte)
            }
        }
        guard let decoded = String(validating: plain, as: UTF8.self) else {
            defects.append("text that is not UTF-8")
            return
        }
        text = decoded
        for scalar in Set(decoded.unicodeScalars) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator:
                defects.append("U+" + String(scalar.value, radix: 16, uppercase: true))
            default: break
            }
        }
    }

    /// The questions for the colour of the background, and for pictures.
    private static let questions = [
        "]11;?\u{1B}\\", "_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", "[>0q", "[16t", "[14t", "[c",
    ]

    /// Returns the length of the sequence after an escape; 0 if neither ncurses nor stacks ever sends it.
    private static func lengthOfSequence(in bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        for question in questions where bytes.starts(with: question.utf8) { return question.utf8.count }
        switch first {
        case UInt8(ascii: "["):
            guard let final = bytes.dropFirst().firstIndex(where: { !(0x20...0x3F).contains($0) }),
                // Cursor movements, erasing, attributes, modes, margins, insertions, repetitions and the title stack.
                "ABCDGHIJKLMPSTXZ@bdhlmrt".utf8.contains(bytes[final])
            else { return 0 }
            return final - bytes.startIndex + 1
        case UInt8(ascii: "("), UInt8(ascii: ")"): return 2
        case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "M"): return 1
        default: return 0
        }
    }
}
