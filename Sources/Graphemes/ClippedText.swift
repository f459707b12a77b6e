extension String {
    /// This text, sanitized and clipped to at most `width` columns; clipped text ends in "…". The cost depends on the
    /// columns, not on the length of the text.
    public func clipped(to width: Int) -> (text: String, columns: Int) {
        var (text, used) = ("", 0)
        // The text that fits if the last column shows the ellipsis.
        var cut = (text: "", columns: 0)
        for glyph in GraphemeSanitizer(self) {
            if used + glyph.columns > width {
                let blanks = String(repeating: " ", count: max(0, width - cut.columns - 1))
                return width > 0 ? (cut.text + "…" + blanks, width) : ("", 0)
            }
            text += glyph.text
            used += glyph.columns
            if used < width { cut = (text, used) }
        }
        return (text, used)
    }
}
