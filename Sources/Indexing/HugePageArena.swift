internal import Glibc

/// An allocator that places the segments of large catalogs in huge pages, because requesting and clearing many small
/// pages would take a third of the loading time.
public struct HugePageArena {
    /// A block of memory that lives as long as any segment in it.
    private final class Stretch {
        let memory: UnsafeMutableRawBufferPointer

        /// Fails if the system is out of memory.
        init?() {
            // A huge page must be aligned to its size, so the mapping has room to align.
            let size = HugePageArena.stretchSize + HugePageArena.pageSize
            guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                start != MAP_FAILED
            else { return nil }
            let padding = -Int(bitPattern: start) & (HugePageArena.pageSize - 1)
            let used = start + padding
            if padding > 0 { munmap(start, padding) }
            munmap(used + HugePageArena.stretchSize, size - padding - HugePageArena.stretchSize)
            madvise(used, HugePageArena.stretchSize, MADV_HUGEPAGE)
            memory = UnsafeMutableRawBufferPointer(start: used, count: HugePageArena.stretchSize)
        }

        deinit { munmap(memory.baseAddress, memory.count) }
    }

    /// Creates an arena that has not allocated memory yet.
    public init() {}

    /// The size of a huge page on most machines.
    private static let pageSize = 2 << 20
    /// The size of a block: many times that of a segment, because the remainder of a block is wasted.
    private static let stretchSize = 16 << 20
    /// Smaller allocations are not worth a block.
    private static let minimumSize = 1 << 17

    private var stretch: Stretch?
    private var used = 0
    /// The bytes that a small catalog may still allocate on demand, because it needs less than a huge page.
    private var smallRoom = pageSize

    /// Allocates `size` bytes, aligned to 8 bytes; the caller must free the memory if the owner is nil.
    public mutating func allocate(_ size: Int) -> (memory: UnsafeMutableRawBufferPointer, owner: AnyObject?) {
        smallRoom -= min(size, smallRoom)
        guard smallRoom == 0, (Self.minimumSize...Self.stretchSize).contains(size), let stretch = stretch(for: size)
        else {
            return (.allocate(byteCount: size, alignment: 8), nil)
        }
        let memory = UnsafeMutableRawBufferPointer(rebasing: stretch.memory[used..<used + size])
        used = (used + size + 7) & ~7
        return (memory, stretch)
    }

    /// Returns a block with room for another `size` bytes, or nil if the system is out of memory.
    private mutating func stretch(for size: Int) -> Stretch? {
        if let stretch, used + size <= stretch.memory.count { return stretch }
        used = 0
        stretch = Stretch()
        return stretch
    }
}
