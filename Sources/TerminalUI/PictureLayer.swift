/// A part of a picture that fills one cell of a canvas.
public struct PicturePart: Hashable, Sendable {
    /// The picture.
    public let picture: Picture
    /// The row within the picture.
    public let row: Int
    /// The column within the picture.
    public let column: Int

    /// Creates a part; row and column must be inside the picture.
    public init(picture: Picture, row: Int, column: Int) {
        self.picture = picture
        self.row = row
        self.column = column
    }

    /// The part in half blocks.
    public var cell: PictureCell { picture.cells[row * picture.size.columns + column] }
}

/// The pictures of a canvas: for each cell, which part of which picture it shows.
struct PictureLayer: Hashable, Sendable {
    /// Which part of which picture a cell shows; the id is 0 if it shows none.
    private struct Mark: Hashable, Sendable {
        var id: UInt32 = 0
        var row: UInt16 = 0
        var column: UInt16 = 0
    }

    private var marks: [Mark]
    /// The number of cells that show a part of a picture.
    private var count = 0
    /// The pictures by id, including those that are covered by now.
    private var pictures: [UInt32: Picture] = [:]

    /// Creates a layer without pictures for a canvas of this number of cells.
    init(cellCount: Int) {
        marks = Array(repeating: Mark(), count: cellCount)
    }

    /// Whether no cell shows a part of a picture.
    var isEmpty: Bool { count == 0 }

    /// Whether all cells show the same parts.
    static func == (first: PictureLayer, second: PictureLayer) -> Bool { first.marks == second.marks }

    /// Hashes the parts of all cells.
    func hash(into hasher: inout Hasher) { hasher.combine(marks) }

    /// The part of a picture in a cell, if any.
    subscript(index: Int) -> PicturePart? {
        let mark = marks[index]
        guard mark.id != 0, let picture = pictures[mark.id] else { return nil }
        return PicturePart(picture: picture, row: Int(mark.row), column: Int(mark.column))
    }

    /// Puts a part of a picture into a cell.
    mutating func set(_ part: PicturePart, at index: Int) {
        if marks[index].id == 0 { count += 1 }
        marks[index] = Mark(id: part.picture.id, row: UInt16(part.row), column: UInt16(part.column))
        pictures[part.picture.id] = part.picture
    }

    /// Removes what the cells show.
    mutating func remove(_ indices: Range<Int>) {
        for index in indices where marks[index].id != 0 {
            marks[index] = Mark()
            count -= 1
        }
    }

    /// Returns the range from the first to the last of `cells` that shows something else than in `other`.
    static func changes(_ cells: Range<Int>, from other: PictureLayer?, to layer: PictureLayer?) -> Range<Int>? {
        func differs(_ index: Int) -> Bool { layer?.marks[index] ?? Mark() != other?.marks[index] ?? Mark() }
        guard let first = cells.first(where: differs), let last = cells.last(where: differs) else { return nil }
        return first..<last + 1
    }
}
