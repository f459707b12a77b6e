internal import Synchronization

/// A work in phases, each of which needs all that the one before made. Threads that come to a phase wait for those that are
/// still at the one before.
///
/// Parts start in order and a started part always finishes; therefore waiting for the previous phase cannot deadlock.
public final class PhasedJob: ParallelJob {
    /// A step of the work.
    public struct Phase: Sendable {
        fileprivate let partCount: Int
        fileprivate let perform: @Sendable (Int) -> Void
        fileprivate let finish: @Sendable () -> Void

        /// A step of so many parts, from none on, which `perform` does in any order and side by side; `finish` is then called
        /// once, on one thread.
        public init(
            partCount: Int, perform: @escaping @Sendable (Int) -> Void, finish: @escaping @Sendable () -> Void = {}
        ) {
            self.partCount = partCount
            self.perform = perform
            self.finish = finish
        }

        /// There is a part that does nothing where there are none, so that somebody comes to the end.
        fileprivate var stepCount: Int { max(1, partCount) }
    }

    private final class State: Sendable {
        let phase: Phase
        let firstPart: Int
        let doneCount = Atomic(0)
        let latch = Latch()

        init(_ phase: Phase, from firstPart: Int) {
            self.phase = phase
            self.firstPart = firstPart
        }
    }

    /// How many parts all phases have.
    public let partCount: Int
    private let states: [State]
    private let isStopped = Atomic(false)

    /// The work of these phases, one after another.
    public init(_ phases: [Phase]) {
        var count = 0
        states = phases.map { phase in
            defer { count += phase.stepCount }
            return State(phase, from: count)
        }
        partCount = count
    }

    /// Lets all that is not begun yet be.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Does a part, when all phases before its own have ended.
    public func perform(part: Int) {
        guard let number = states.lastIndex(where: { $0.firstPart <= part }) else { return }
        if number > 0 { while !states[number - 1].latch.wait(milliseconds: 1000) {} }
        let state = states[number]
        let step = part - state.firstPart
        if step < state.phase.partCount, !isStopped.load(ordering: .relaxed) { state.phase.perform(step) }
        // What the others did must be seen by who finishes it.
        let done = state.doneCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        if done == state.phase.stepCount {
            if !isStopped.load(ordering: .relaxed) { state.phase.finish() }
            state.latch.open()
        }
    }

    /// Does nothing: the last phase has ended.
    public func complete() {}
}
