extension Sequence<String> {
    /// The texts in their order, each once.
    func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
