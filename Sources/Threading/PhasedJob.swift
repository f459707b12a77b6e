internal import Synchronization

/// A job in phases, each of which needs all that the one before made. Threads that come to a phase wait for those that are
/// still at the one before.
///
/// Parts start in order and a started part always finishes; therefore waiting for the previous phase cannot deadlock.
public final class PhasedJob<Outcome: Sendable>: ParallelJob {
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

        /// There is a part that does nothing if there are none, so that somebody comes to the end.
        fileprivate var stepCount: Int { max(1, partCount) }
    }

    private final class State: Sendable {
        let phase: Phase
        let firstPart: Int
        let doneCount = Atomic(0)
        let hasEnded = Locked(false)

        init(_ phase: Phase, from firstPart: Int) {
            self.phase = phase
            self.firstPart = firstPart
        }
    }

    /// How many parts all phases have.
    public let partCount: Int
    private let states: [State]
    private let isStopped = Atomic(false)
    private let makeOutcome: @Sendable () -> Outcome?

    /// The job of these phases, one after another; `makeOutcome` says what they made.
    public init(_ phases: [Phase], making makeOutcome: @escaping @Sendable () -> Outcome?) {
        var count = 0
        states = phases.map { phase in
            defer { count += phase.stepCount }
            return State(phase, from: count)
        }
        partCount = count
        self.makeOutcome = makeOutcome
    }

    /// Skips all that is not begun yet.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Does a part, when all phases before its own have ended.
    public func perform(part: Int) {
        guard let number = states.lastIndex(where: { $0.firstPart <= part }) else { return }
        if number > 0 { states[number - 1].hasEnded.wait { $0 ? () : nil } }
        let state = states[number]
        let step = part - state.firstPart
        if step < state.phase.partCount, !isStopped.load(ordering: .relaxed) { state.phase.perform(step) }
        // What the others did must be seen by who finishes it.
        let done = state.doneCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        if done == state.phase.stepCount {
            if !isStopped.load(ordering: .relaxed) { state.phase.finish() }
            state.hasEnded.change { $0 = true }
        }
    }

    /// What the phases made; nothing if it was stopped.
    public func complete() -> Outcome? { isStopped.load(ordering: .relaxed) ? nil : makeOutcome() }
}
