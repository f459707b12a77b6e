/// What becomes of the values, or of the entries.
struct ColumnChanges {
    /// For each old one its new number; that of the next one, if it is gone. Nil if all stay as they are.
    var numbers: [UInt32]?
    /// The runs of old ones that stay, each with the new ones before it.
    var runs: [(newCount: Int, old: Range<Int>)] = []
    /// The numbers of the new ones.
    var newNumbers: [UInt32] = []
    var count = 0

    /// Creates the changes of `count` old ones: `new` are the places of new ones, which ascend.
    init(of count: Int, keeping isKept: [Bool]?, adding new: [Int]) {
        if new.isEmpty, isKept?.allSatisfy(\.self) ?? true {
            (runs, self.count) = ([(0, 0..<count)], count)
            return
        }
        var numbers = [UInt32](repeating: 0, count: count)
        var (next, start, added) = (0, 0, 0)
        for number in 0...count {
            let isGone = number < count && isKept.map { !$0[number] } ?? false
            let hasNew = next < new.count && new[next] == number
            if isGone || hasNew || number == count {
                if start < number || added > 0 { runs.append((added, start..<number)) }
                (start, added) = (isGone ? number + 1 : number, 0)
            }
            while next < new.count, new[next] == number {
                newNumbers.append(UInt32(truncatingIfNeeded: self.count))
                (next, added, self.count) = (next + 1, added + 1, self.count + 1)
            }
            if number == count { break }
            numbers[number] = UInt32(truncatingIfNeeded: self.count)
            if !isGone { self.count += 1 }
            if isGone, added > 0 {
                runs.append((added, number..<number))
                added = 0
            }
        }
        if added > 0 { runs.append((added, count..<count)) }
        self.numbers = numbers
    }
}

/// Texts with their ends, some of which are added, left out or replaced.
struct ColumnTextEdit {
    private let text: UnsafeBufferPointer<UInt8>
    private let ends: UnsafeBufferPointer<UInt32>
    private let changes: ColumnChanges
    private let new: [[UInt8]]
    private var replacements: [Int: [UInt8]] = [:]
    private(set) var byteCount: Int

    init(
        _ text: UnsafeBufferPointer<UInt8>, _ ends: UnsafeBufferPointer<UInt32>, _ changes: ColumnChanges,
        _ new: [[UInt8]]
    ) {
        (self.text, self.ends, self.changes, self.new) = (text, ends, changes, new)
        byteCount = new.reduce(0) { $0 + $1.count }
        for run in changes.runs { byteCount += start(run.old.upperBound) - start(run.old.lowerBound) }
    }

    private func start(_ number: Int) -> Int { number == 0 ? 0 : Int(ends[number - 1]) }

    mutating func replace(_ number: Int, with bytes: [UInt8]) {
        replacements[number] = bytes
        byteCount += bytes.count - (start(number + 1) - start(number))
    }

    func write(_ texts: UnsafeMutableBufferPointer<UInt8>, _ newEnds: UnsafeMutableBufferPointer<UInt32>) {
        var (next, end, added) = (0, 0, 0)
        let replaced = replacements.keys.sorted()
        var nextReplaced = 0
        func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            end = texts.write(bytes, at: end)
            newEnds[next] = UInt32(truncatingIfNeeded: end)
            next += 1
        }
        func copy(_ range: Range<Int>) {
            if range.isEmpty { return }
            let first = start(range.lowerBound)
            let shift = UInt32(truncatingIfNeeded: end - first)
            end = texts.write(UnsafeBufferPointer(rebasing: text[first..<start(range.upperBound)]), at: end)
            for number in range {
                newEnds[next] = ends[number] &+ shift
                next += 1
            }
        }
        for run in changes.runs {
            for _ in 0..<run.newCount {
                new[added].withUnsafeBufferPointer(add)
                added += 1
            }
            var from = run.old.lowerBound
            while nextReplaced < replaced.count, replaced[nextReplaced] < run.old.upperBound {
                let number = replaced[nextReplaced]
                nextReplaced += 1
                if number < from { continue }
                copy(from..<number)
                replacements[number]?.withUnsafeBufferPointer(add)
                from = number + 1
            }
            copy(from..<run.old.upperBound)
        }
    }
}
