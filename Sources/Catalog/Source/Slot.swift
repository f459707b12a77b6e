/// A value that may not be available yet; requesting it never blocks.
public enum Slot<Value: Sendable>: Sendable {
    /// The value is available.
    case ready(Value)
    /// The value was requested, and the source wakes the screen when it arrives.
    case pending
    /// The value cannot be loaded, for this reason.
    case failed(String)
    /// The value no longer exists, because the file changed or the book was deleted.
    case gone

    /// The value, if available.
    public var value: Value? { if case .ready(let value) = self { value } else { nil } }

    /// Returns the slot with its value transformed.
    public func map<Other>(_ transform: (Value) -> Other) -> Slot<Other> {
        switch self {
        case .ready(let value): .ready(transform(value))
        case .pending: .pending
        case .failed(let reason): .failed(reason)
        case .gone: .gone
        }
    }

    /// Returns the result of `transform` for an available value, else this state.
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
