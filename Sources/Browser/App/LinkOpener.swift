public import Library

/// Opens links in a program that is none of ours.
public struct LinkOpener {
    /// Opens a link; returns why it could not, for people, or nil where it could.
    public let open: (WebLink) -> String?

    /// An opener that does what `open` does.
    public init(_ open: @escaping (WebLink) -> String?) {
        self.open = open
    }
}
