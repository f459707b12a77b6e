internal import CText

extension String {
    /// Whether the UTF-8 text has the bytes of `word`. `contains` compares characters, and takes many times longer.
    public func hasBytes(of word: String) -> Bool {
        var (text, word) = (self, word)
        return text.withUTF8 { bytes in
            word.withUTF8 { wanted in
                guard let base = bytes.baseAddress, let start = wanted.baseAddress, !wanted.isEmpty else {
                    return wanted.isEmpty
                }
                return text_find(base, bytes.count, 0, start, wanted.count) < bytes.count
            }
        }
    }
}
