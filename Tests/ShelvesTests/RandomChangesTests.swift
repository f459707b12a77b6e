internal import CatalogTesting
import TestSupport
import Testing

@testable import Books
@testable import Shelves

/// Two instances make random changes, and a model that copies every state predicts the results.
@Suite("User data: random changes") struct RandomChangesTests {
    private struct Model: Hashable {
        var books: [BookIdentity: ModelUserData] = [:]
        var shelves: [Shelf] = []
    }

    private struct ModelUserData: Hashable {
        var isFavourite = false
        var shelves: Set<String> = []
        var status: Book.ReadingStatus?
        var log = ReadingLog()
        var rating: StarRating?
        var note: String?
        var distinctions: Set<String> = []

        var isEmpty: Bool {
            !isFavourite && shelves.isEmpty && status == nil && log.isEmpty && rating == nil && note == nil
                && distinctions.isEmpty
        }

        init() {}

        init(_ bookData: UserBookData) {
            isFavourite = bookData.isFavourite
            distinctions = bookData.distinctions
            shelves = bookData.shelves
            status = bookData.status
            log = bookData.readingLog
            rating = bookData.rating
            note = bookData.note
        }
    }

    private func model(_ shelves: UserData) -> Model {
        Model(
            books: Dictionary(uniqueKeysWithValues: shelves.books.map { ($0, ModelUserData($1)) }),
            shelves: shelves.shelves
        )
    }

    @Test(.thorough, arguments: 1...2)
    func whateverIsDoneAllAgree(seed: Int) throws {
        let fixture = try ShelvesFixture()
        var random = SplitMix(seed: UInt64(seed))
        let books = (0..<12).map { Book.make(title: "Book \($0)", isbn: $0 == 3 ? "0441478123" : nil) }
        var instances = [try fixture.loaded(), try fixture.loaded()]
        var past: [Model] = [Model()]
        var future: [Model] = []
        var states: [UndoStep.ID: Model] = [:]
        var nameCount = 0
        for operation in 0..<1000 {
            let number = Int.random(in: 0...1, using: &random)
            // Each instance loads the other's changes first; changes without that have their own tests.
            try instances[number].load()
            let shelves = instances[number]
            fixture.moment.day = "2026-11-\(10 + operation % 20)"
            var next = past[past.count - 1]
            var isStep = true
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                let change: UserDataChange =
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: .favourite(.random(using: &random))
                    case 1: .status((Book.ReadingStatus.allCases + [nil]).randomElement(using: &random) ?? nil)
                    case 2:
                        Bool.random(using: &random)
                            ? .rating([nil, 0, 3, 5].randomElement(using: &random) ?? nil)
                            : .ratingStep(halves: .random(in: -3...3, using: &random))
                    case 3:
                        .readingLog(
                            .read,
                            ReadingLog(
                                statusDates: [.reading: "2025-01-0\(operation % 9)", .read: "2025-02-01"],
                                status: .read))
                    case 6: .progress(.page(.random(in: 1...300, using: &random)))
                    case 7:
                        .status(
                            [.reading, .read].randomElement(using: &random) ?? nil, on: "2024-0\(1 + operation % 9)")
                    case 4: .note([nil, "a", "b\n\"c\""].randomElement(using: &random) ?? nil)
                    case 5: .distinction("d\(operation % 4)", .random(using: &random))
                    default:
                        .shelf(next.shelves.randomElement(using: &random)?.id ?? "s1", .random(using: &random))
                    }
                let chosen = books.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
                try shelves.apply(change, to: chosen.map { shelves.target($0) })
                for book in chosen { apply(change, to: book.identity, day: fixture.moment.day, in: &next) }
            case 8:
                nameCount += 1
                let name = "Shelf \(nameCount)"
                // A new shelf with its books is one step.
                let chosen = books.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
                if chosen.isEmpty {
                    try shelves.makeShelf(named: name)
                } else {
                    try shelves.apply(.shelfNamed(name), to: chosen.map { shelves.target($0) })
                }
                next.shelves.append(try #require(shelves.shelves.last))
                for book in chosen {
                    apply(.shelfNamed(name), to: book.identity, day: fixture.moment.day, in: &next)
                }
            case 9:
                guard let index = next.shelves.indices.randomElement(using: &random) else { continue }
                nameCount += 1
                next.shelves[index].name = "Name \(nameCount)"
                try shelves.renameShelf(next.shelves[index].id, to: "Name \(nameCount)")
            case 10:
                guard let index = next.shelves.indices.randomElement(using: &random) else { continue }
                let place = Int.random(in: next.shelves.indices, using: &random)
                let shelf = next.shelves.remove(at: index)
                next.shelves.insert(shelf, at: place)
                try shelves.moveShelf(shelf.id, to: place)
            case 11:
                guard let index = next.shelves.indices.randomElement(using: &random) else { continue }
                try shelves.deleteShelf(next.shelves.remove(at: index).id)
            case 12..<15:
                isStep = false
                #expect((try shelves.undo() != nil) == (past.count > 1))
                if past.count > 1 { future.append(past.removeLast()) }
            case 15..<17:
                isStep = false
                #expect((try shelves.redo() != nil) == !future.isEmpty)
                if let model = future.popLast() { past.append(model) }
            case 17:
                let done = try shelves.history(limit: 1000).filter { !$0.isUndone }
                guard let index = done.indices.prefix(6).randomElement(using: &random), index > 0 else { continue }
                try shelves.goBack(to: done[index])
                // Undoing the revert restores everything.
                next = states[done[index].id] ?? Model()
                past.append(next)
                future = []
            case 18: try shelves.saveSnapshot()
            default: instances[number] = try fixture.loaded()
            }
            if isStep && next != past[past.count - 1] {
                past.append(next)
                future = []
            }
            if let step = try instances[number].history(limit: 1).first, states[step.id] == nil {
                states[step.id] = next
            }
            #expect(model(instances[number]) == past[past.count - 1], "operation \(operation)")
            if operation % 10 == 0 {
                // The snapshot with the lines after it, and all lines from the first on, give the same state.
                let read = try UserData.read(directory: fixture.directory.path).replay.state
                #expect(read == instances[number].state, "operation \(operation)")
                if fixture.names.contains("history.jsonl") { #expect(read == (try fixture.replayed())) }
            }
        }
        #expect(instances.allSatisfy { $0.notice == nil && $0.unreadableLineCount == 0 })
    }

    private func apply(_ change: UserDataChange, to identity: BookIdentity, day: String, in model: inout Model) {
        var bookData = model.books[identity] ?? ModelUserData()
        switch change {
        case .favourite(let flag): bookData.isFavourite = flag
        case .rating(let rating): bookData.rating = rating
        case .ratingStep(let halves):
            let result = (bookData.rating?.halves ?? 0) + halves
            bookData.rating = result > 0 ? StarRating(halves: result) : nil
        case .note(let note): bookData.note = note
        case .distinction(let id, let flag):
            if flag { bookData.distinctions.insert(id) } else { bookData.distinctions.remove(id) }
        case .shelf(let id, let flag):
            guard model.shelves.contains(where: { $0.id == id }) else { return }
            if flag { bookData.shelves.insert(id) } else { bookData.shelves.remove(id) }
        case .shelfNamed(let name):
            guard let shelf = model.shelves.first(where: { $0.name == name }) else { return }
            bookData.shelves.insert(shelf.id)
        case .status(let status, let given):
            bookData.status = bookData.log.set(
                status, after: bookData.status, on: given ?? day, isGiven: given != nil)
        case .progress(let place, let given):
            bookData.log.set(ReadingProgress(place, on: given ?? day))
            bookData.status = .reading
        case .readingLog(let status, let log): (bookData.status, bookData.log) = (status, log)
        }
        model.books[identity] = bookData.isEmpty ? nil : bookData
    }
}
