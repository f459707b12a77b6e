internal import Synchronization

/// A job in phases: each phase needs all results of the previous one, so threads wait for it to finish.
///
/// Parts start in order and a started part always finishes; therefore waiting for the previous phase cannot deadlock.
public final class PhasedJob<Outcome: Sendable>: ParallelJob {
    /// A phase of the job.
    public struct Phase: Sendable {
        fileprivate let partCount: Int
        fileprivate let perform: @Sendable (Int) -> Void
        fileprivate let finish: @Sendable () -> Void

        /// Creates a phase with `partCount` parts, possibly none, which `perform` runs in any order and in parallel;
        /// then `finish` is called once, on one thread.
        public init(
            partCount: Int, perform: @escaping @Sendable (Int) -> Void, finish: @escaping @Sendable () -> Void = {}
        ) {
            self.partCount = partCount
            self.perform = perform
            self.finish = finish
        }

        /// An empty phase has one part that does nothing, so that a thread finishes the phase.
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

    /// The number of parts of all phases.
    public let partCount: Int
    private let states: [State]
    private let isStopped = Atomic(false)
    private let makeOutcome: @Sendable () -> Outcome?

    /// Creates a job of consecutive phases; `makeOutcome` returns their result.
    public init(_ phases: [Phase], making makeOutcome: @escaping @Sendable () -> Outcome?) {
        var count = 0
        states = phases.map { phase in
            defer { count += phase.stepCount }
            return State(phase, from: count)
        }
        partCount = count
        self.makeOutcome = makeOutcome
    }

    /// Skips all parts that have not started.
    public func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Waits for the previous phase and performs a part.
    public func perform(part: Int) {
        guard let number = states.lastIndex(where: { $0.firstPart <= part }) else { return }
        if number > 0 { states[number - 1].hasEnded.wait { $0 ? () : nil } }
        let state = states[number]
        let step = part - state.firstPart
        if step < state.phase.partCount, !isStopped.load(ordering: .relaxed) { state.phase.perform(step) }
        // Acquire and release: the thread that finishes the phase must see the writes of all parts.
        let done = state.doneCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        if done == state.phase.stepCount {
            if !isStopped.load(ordering: .relaxed) { state.phase.finish() }
            state.hasEnded.change { $0 = true }
        }
    }

    /// Returns the result of the phases, or nil if the job was stopped.
    public func complete() -> Outcome? { isStopped.load(ordering: .relaxed) ? nil : makeOutcome() }
}
