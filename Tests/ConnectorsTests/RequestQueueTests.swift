import ConnectorProtocol
import Testing
import Threading

@testable import Connectors

@Suite("The queue of requests")
struct RequestQueueTests {
    private let queue = RequestQueue()

    private static func page(_ id: Int) -> ConnectorRequest {
        ConnectorRequest(id: id, .page(PageRequest(at: .row(0), limit: 1, generation: 0)))
    }

    /// Takes the next request on another thread.
    private func take() -> Locked<Int?> {
        let taken = Locked<Int?>(nil)
        BackgroundThread.start { [queue] in
            if case .request(let request)? = queue.next(ifAny: false) { taken.change { $0 = request.id } }
        }
        return taken
    }

    @Test("Three requests for pages run at the same time, the next one when one of them is done")
    func pages() {
        for id in 1...4 { queue.add(.request(Self.page(id))) }
        for id in 1...3 {
            guard case .request(let request)? = queue.next(ifAny: false) else {
                Issue.record("no request")
                return
            }
            #expect(request.id == id)
        }
        let fourth = take()
        #expect(!fourth.wait(milliseconds: 200) { $0 != nil })
        #expect(queue.running == [1, 2, 3])
        queue.end(Self.page(2))
        #expect(fourth.wait(milliseconds: 5000) { $0 == 4 })
        #expect(queue.running == [1, 3, 4])
    }

    @Test("Any other request waits until no page is requested, and pages wait for it")
    func alone() {
        let open = ConnectorRequest(id: 2, .open(source: "x", known: nil))
        for request in [Self.page(1), open, Self.page(3)] { queue.add(.request(request)) }
        _ = queue.next(ifAny: false)
        let second = take()
        #expect(!second.wait(milliseconds: 200) { $0 != nil })
        queue.end(Self.page(1))
        #expect(second.wait(milliseconds: 5000) { $0 == 2 })
        let third = take()
        #expect(!third.wait(milliseconds: 200) { $0 != nil })
        queue.end(open)
        #expect(third.wait(milliseconds: 5000) { $0 == 3 })
    }

    @Test("Each request gets its own answer, and only the named one is cancelled")
    func separate() {
        for id in 1...2 { queue.add(.request(Self.page(id))) }
        for _ in 1...2 { _ = queue.next(ifAny: false) }
        let answer = ConnectorRequest(id: 2, .answer(user: "ann", secret: "x"))
        #expect(queue.add(answer: answer))
        #expect(!queue.add(answer: ConnectorRequest(id: 5, .answer(user: nil, secret: nil))))
        queue.cancel(1)
        #expect(queue.isCancelled(Self.page(1)))
        #expect(!queue.isCancelled(Self.page(2)))
        #expect(queue.answer(to: 1) == nil)
        #expect(queue.answer(to: 2) == answer)
        queue.end(Self.page(1))
        #expect(!queue.isCancelled(Self.page(1)))
    }

    @Test("The queue ends when the input has ended and nothing runs")
    func end() {
        queue.add(.request(Self.page(1)))
        _ = queue.next(ifAny: false)
        queue.end()
        #expect(queue.isCancelled(Self.page(1)))
        let isAtEnd = Locked(false)
        BackgroundThread.start { [queue] in
            if queue.next(ifAny: false) == nil { isAtEnd.change { $0 = true } }
        }
        #expect(!isAtEnd.wait(milliseconds: 200) { $0 })
        queue.end(Self.page(1))
        #expect(isAtEnd.wait(milliseconds: 5000) { $0 })
    }
}
