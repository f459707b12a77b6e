/// What a source has in place of a value that it is asked for. Nothing waits for it: what is not there yet is pending.
public enum Slot<Value: Sendable>: Sendable {
    /// The value.
    case ready(Value)
    /// It was asked for, and the source wakes the screen up when it is there.
    case pending
    /// It could not be had, for this reason.
    case failed(String)
    /// It was there and is not any more: the file was changed, or the book was deleted.
    case gone

    /// The value, if it is there.
    public var value: Value? { if case .ready(let value) = self { value } else { nil } }

    /// The same with another value.
    public func map<Other>(_ transform: (Value) -> Other) -> Slot<Other> {
        switch self {
        case .ready(let value): .ready(transform(value))
        case .pending: .pending
        case .failed(let reason): .failed(reason)
        case .gone: .gone
        }
    }

    /// What `transform` makes of the value, or why there is none.
    public func flatMap<Other>(_ transform: (Value) -> Slot<Other>) -> Slot<Other> {
        switch self {
        case .ready(let value): transform(value)
        case .pending: .pending
        case .failed(let reason): .failed(reason)
        case .gone: .gone
        }
    }
}

extension Slot: Equatable where Value: Equatable {}
