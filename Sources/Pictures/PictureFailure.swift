/// The reason for which there is no picture.
public enum PictureFailure: Error, Hashable, Sendable {
    /// The bytes are in none of the formats.
    case unknownFormat
    /// The file is not what its format asks for, or ends too early.
    case broken(PictureFormat)
    /// The file is an animation in a format of which only single pictures are read: WebP.
    case animated
    /// The picture has more pixels than `PictureLimits` allows, or a result of that size was asked for.
    case tooManyPixels
    /// The file is larger than `PictureLimits` allows.
    case tooManyBytes
    /// A library found too little memory.
    case noMemory
}

/// What a picture may take at most: files come from anywhere, and a small one can state any size.
public enum PictureLimits {
    /// The greatest size of a file in bytes: 32 MiB.
    public static let fileSize = 32 << 20
    /// The greatest number of pixels of a picture: 16 Mi, those of 4096 by 4096. Checked before there is memory for them.
    public static let pixels = 1 << 24
    /// The greatest number of pixels of sixels, which need more memory: 4 Mi.
    public static let sixelPixels = 1 << 22
    /// The greatest number of cells of text that a picture is made of.
    public static let cells = 100_000

    /// What a decoder that can scale may use for the picture and its own work, in bytes. It scales more if it must.
    static let memory = 96 << 20
}
