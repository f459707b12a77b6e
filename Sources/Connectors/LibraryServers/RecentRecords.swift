internal import JSON

/// The records that a server sent most recently, and their places in the lists.
struct RecentRecords {
    private var rows: [String: JSONValue] = [:]
    /// The ids in the order in which they came, from `start` on.
    private var order: [String] = []
    /// The row numbers of the books of the list `list`.
    private var places: [String: Int] = [:]
    private var list: String?

    /// The maximum number of records.
    private static let limit = 5000

    /// Keeps the rows of a part of a list, whose first row has the number `first`.
    mutating func keep(_ rows: [JSONValue], from first: Int, of list: String) {
        if self.list != list || places.count > Self.limit * 20 { (self.list, places) = (list, [:]) }
        for (offset, row) in rows.enumerated() {
            guard let id = row["id"]?.string else { continue }
            places[id] = first + offset
            if self.rows.updateValue(row, forKey: id) == nil { order.append(id) }
        }
        guard order.count > 2 * Self.limit else { return }
        for id in order.dropLast(Self.limit) { self.rows[id] = nil }
        order.removeFirst(order.count - Self.limit)
    }

    /// Returns the record with this id.
    subscript(id: String) -> JSONValue? { rows[id] }

    /// Returns the number of the row of a book in a list, if it was sent.
    func place(of id: String, in list: String) -> Int? { self.list == list ? places[id] : nil }
}
