/// One of the 240 fixed colours of the xterm 256-colour palette, with its substitutes for terminals that have fewer, or
/// one of the first eight colours, which users may redefine.
///
/// The xterm palette has 16 colours that users may redefine, a 6 × 6 × 6 cube of red, green and blue, and 24 greys.
public struct Colour: Hashable, Sendable {
    /// The number of colours that a terminal can show.
    public enum Depth: Hashable, Sendable, CaseIterable {
        /// The terminal has no colours, or the user wants none.
        case none
        /// The 8 ANSI colours: black, red, green, yellow, blue, magenta, cyan and white.
        case eight
        /// The 8 ANSI colours and their bright variants.
        case sixteen
        /// The 256 colours of the xterm palette.
        case indexed
        /// 24-bit colour.
        case direct
    }

    /// The index in the xterm palette: 16...255, or 0...7 for a colour that users may redefine.
    public let index: UInt8
    /// The index of the substitute among 16 colours.
    public let indexOfSixteen: UInt8
    /// The index of the substitute among 8 colours.
    public let indexOfEight: UInt8

    /// Creates the colour with an index of 16...255 in the xterm palette and its substitutes among 16 and 8 colours.
    public init(_ index: UInt8, ofSixteen: UInt8, ofEight: UInt8) {
        self.index = index
        indexOfSixteen = ofSixteen
        indexOfEight = ofEight
    }

    /// Creates one of the first eight colours, black to white, which users may redefine, on every terminal.
    init(ansi number: UInt8) { self.init(number, ofSixteen: number, ofEight: number) }

    /// The red, green and blue components of a fixed colour, each 0...255.
    public var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
        if index >= 232 {
            let shade = (index - 232) * 10 + 8
            return (shade, shade, shade)
        }
        let offset = Int(index) - 16
        return (Self.shades[offset / 36], Self.shades[offset / 6 % 6], Self.shades[offset % 6])
    }

    private static let shades: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// Returns the colour number that a terminal of this depth expects, or nil if it has no colours.
    public func number(at depth: Depth) -> Int? {
        switch depth {
        case .none: return nil
        case .eight: return Int(indexOfEight)
        case .sixteen: return Int(indexOfSixteen)
        case .indexed: return Int(index)
        case .direct:
            // In terminfo, direct colours below 8 are the ANSI colours.
            if index < 8 { return Int(index) }
            let number = Int(rgb.red) << 16 | Int(rgb.green) << 8 | Int(rgb.blue)
            // The nearest value to black that is no number of an ANSI colour.
            return number < 8 ? 0x01_0101 : number
        }
    }
}
