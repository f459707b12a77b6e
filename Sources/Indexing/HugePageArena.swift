internal import Glibc

/// Where the segments of large catalogs are: in stretches of memory that the system gives in large pages, as to get and
/// clear many small ones would take a third of the time that it takes to read the books.
package struct HugePageArena {
    /// A stretch, which lives as long as a segment in it.
    private final class Stretch {
        let memory: UnsafeMutableRawBufferPointer

        /// Nil where the system has none.
        init?() {
            // A large page begins where its size divides the address: there is room to begin there.
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

    /// An arena without any memory yet.
    package init() {}

    /// The size of a large page on most machines.
    private static let pageSize = 2 << 20
    /// The size of a stretch: many times that of a segment, as what is left at its end is lost.
    private static let stretchSize = 16 << 20
    /// Fewer bytes are not worth a stretch.
    private static let minimumSize = 1 << 17

    private var stretch: Stretch?
    private var used = 0
    /// What a small catalog needs is less than a large page, and taken as it is needed.
    private var smallRoom = pageSize

    /// Memory for a segment of `size` bytes, aligned for 64-bit numbers, and what it belongs to, if it is not the
    /// caller's own.
    package mutating func allocate(_ size: Int) -> (memory: UnsafeMutableRawBufferPointer, owner: AnyObject?) {
        smallRoom -= min(size, smallRoom)
        guard smallRoom == 0, (Self.minimumSize...Self.stretchSize).contains(size), let stretch = stretch(for: size)
        else {
            return (.allocate(byteCount: size, alignment: 8), nil)
        }
        let memory = UnsafeMutableRawBufferPointer(rebasing: stretch.memory[used..<used + size])
        used = (used + size + 7) & ~7
        return (memory, stretch)
    }

    /// A stretch with room for `size` bytes more.
    private mutating func stretch(for size: Int) -> Stretch? {
        if let stretch, used + size <= stretch.memory.count { return stretch }
        used = 0
        stretch = Stretch()
        return stretch
    }
}
