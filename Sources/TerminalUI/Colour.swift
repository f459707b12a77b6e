/// A colour: one of the 240 that are the same on every terminal of 256 colours, with what stands for it on those that
/// have fewer.
///
/// The 256 colours of xterm, which other terminals took over, are the sixteen that the reader may have changed, a cube
/// of six shades each of red, green and blue, and 24 greys.
public struct Colour: Hashable, Sendable {
    /// How many colours a terminal has.
    public enum Depth: Hashable, Sendable, CaseIterable {
        /// None, or none that are wanted.
        case none
        /// Black, red, green, yellow, blue, magenta, cyan and white.
        case eight
        /// These and brighter ones.
        case sixteen
        /// The 256 of xterm.
        case indexed
        /// All of 24 bits.
        case direct
    }

    /// Its number among 256 colours: 16 to 255.
    public let index: UInt8
    /// The number of what stands for it among sixteen colours.
    public let indexOfSixteen: UInt8
    /// The number of what stands for it among eight colours.
    public let indexOfEight: UInt8

    /// The colour of this number among 256, 16 to 255, and what stands for it among sixteen and among eight.
    public init(_ index: UInt8, ofSixteen: UInt8, ofEight: UInt8) {
        self.index = index
        indexOfSixteen = ofSixteen
        indexOfEight = ofEight
    }

    /// Its shares of red, green and blue.
    public var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
        if index >= 232 {
            let shade = (index - 232) * 10 + 8
            return (shade, shade, shade)
        }
        let place = Int(index) - 16
        return (Self.shades[place / 36], Self.shades[place / 6 % 6], Self.shades[place % 6])
    }

    private static let shades: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// The number by which a terminal of this depth knows it; nil where there are no colours.
    public func number(at depth: Depth) -> Int? {
        switch depth {
        case .none: return nil
        case .eight: return Int(indexOfEight)
        case .sixteen: return Int(indexOfSixteen)
        case .indexed: return Int(index)
        case .direct:
            let number = Int(rgb.red) << 16 | Int(rgb.green) << 8 | Int(rgb.blue)
            // To a terminal's description the lowest numbers are the eight colours: the nearest to black that is none.
            return number < 8 ? 0x01_0101 : number
        }
    }
}
