internal import FoundationEssentials
internal import TerminalUI

/// The control sequences of kitty's graphics protocol, and which pictures the terminal has.
struct KittyGraphics {
    /// The placeholder of a cell of a picture.
    static let placeholder: Unicode.Scalar = "\u{10EEEE}"
    /// The maximum size of all pictures in the terminal, in bytes.
    static let capacity = 32 << 20
    /// The maximum length of the Base64 text in one sequence.
    static let longestChunk = 4096

    /// A picture that the terminal has.
    private struct Stored {
        let byteCount: Int
        /// The number of the last frame with the picture.
        var frame: Int
    }

    private let isInTmux: Bool
    private let capacity: Int
    private var stored: [UInt32: Stored] = [:]
    private var frame = 0

    /// Creates the state of a terminal without pictures.
    ///
    /// - Parameter isInTmux: Whether tmux has to pass the sequences through to its terminal.
    init(isInTmux: Bool, capacity: Int = Self.capacity) {
        self.isInTmux = isInTmux
        self.capacity = capacity
    }

    /// The ids of the pictures that the terminal has, the longest unused first.
    var ids: [UInt32] {
        stored.sorted { ($0.value.frame, $0.key) < ($1.value.frame, $1.key) }.map(\.key)
    }

    /// Begins a frame: pictures that `keep` and `store` get from now on are on the screen.
    mutating func beginFrame() { frame += 1 }

    /// Keeps a picture in the terminal during this frame if it is there.
    mutating func keep(_ picture: Picture) { stored[picture.id]?.frame = frame }

    /// Ensures that the terminal has a picture, and deletes the longest unused ones that the frame does not need if they
    /// are too many.
    ///
    /// - Parameter output: Takes the sequences.
    /// - Returns: False if the picture has no PNG file or the terminal has no room for it.
    mutating func store(_ picture: Picture, forPlaceholders: Bool, to output: inout [UInt8]) -> Bool {
        if stored[picture.id] != nil {
            stored[picture.id]?.frame = frame
            return true
        }
        // The terminal keeps decoded pixels.
        guard case .png(let bytes, let width, let height) = picture.pixels, !bytes.isEmpty,
            (1...10_000).contains(width), (1...10_000).contains(height), case let byteCount = 4 * width * height,
            makeRoom(for: byteCount, to: &output)
        else { return false }
        stored[picture.id] = Stored(byteCount: byteCount, frame: frame)
        transmit(bytes, id: picture.id, to: &output)
        if forPlaceholders {
            write("a=p,U=1,i=\(picture.id),c=\(picture.size.columns),r=\(picture.size.rows),q=2", to: &output)
        }
        return true
    }

    private mutating func makeRoom(for byteCount: Int, to output: inout [UInt8]) -> Bool {
        func total(_ pictures: some Sequence<Stored>) -> Int { pictures.reduce(byteCount) { $0 + $1.byteCount } }
        guard total(stored.values.filter { $0.frame == frame }) <= capacity else { return false }
        for id in ids where total(stored.values) > capacity {
            stored[id] = nil
            write("a=d,d=I,i=\(id),q=2", to: &output)
        }
        return true
    }

    private func transmit(_ bytes: [UInt8], id: UInt32, to output: inout [UInt8]) {
        let text = Array(Data(bytes).base64EncodedString().utf8)
        for start in stride(from: 0, to: text.count, by: Self.longestChunk) {
            let end = min(start + Self.longestChunk, text.count)
            let keys = start == 0 ? "a=t,f=100,q=2,i=\(id)," : "q=2,"
            write(keys + "m=\(end < text.count ? 1 : 0)", data: text[start..<end], to: &output)
        }
    }

    /// Shows a stored picture over the cells at the cursor, which does not move.
    func place(_ picture: Picture, placement: Int, to output: inout [UInt8]) {
        let keys = "a=p,i=\(picture.id),p=\(placement),c=\(picture.size.columns),r=\(picture.size.rows),C=1,q=2"
        write(keys, to: &output)
    }

    /// Removes a picture from its place; the terminal keeps it.
    func remove(_ picture: Picture, placement: Int, to output: inout [UInt8]) {
        write("a=d,d=i,i=\(picture.id),p=\(placement),q=2", to: &output)
    }

    /// The sequences that delete all pictures of the program from the terminal.
    var deletion: String {
        var output: [UInt8] = []
        for id in ids { write("a=d,d=I,i=\(id),q=2", to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    /// At most about 500 bytes of sequences for a crash: they delete the pictures of the program by the range of their
    /// ids, which kitty knows since version 0.33, and the latest ones by id.
    var shortDeletion: String {
        guard let first = stored.keys.min(), let last = stored.keys.max() else { return "" }
        var output: [UInt8] = []
        write("a=d,d=R,x=\(first),y=\(last),q=2", to: &output)
        for id in ids.suffix(10) { write("a=d,d=I,i=\(id),q=2", to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Notes that the terminal has lost or deleted all pictures.
    mutating func forgetAll() { stored = [:] }

    private func write(_ keys: String, data: ArraySlice<UInt8> = [], to output: inout [UInt8]) {
        // tmux passes on what is between its own introducer and the terminator, with each Escape doubled.
        output += (isInTmux ? "\u{1B}Ptmux;\u{1B}\u{1B}_G" : "\u{1B}_G").utf8
        output += keys.utf8
        if !data.isEmpty {
            output.append(UInt8(ascii: ";"))
            output += data
        }
        output += (isInTmux ? "\u{1B}\u{1B}\\\u{1B}\\" : "\u{1B}\\").utf8
    }
}
