"""A power cut at the level of disk blocks: any subset of the unflushed writes may be on the disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time

import disk
from check import BOOKS, Sabotage, Skipped, need, need_root
from saving import SavingCheck
from terminal import Home

# The unit that a disk writes atomically: ext4 requires no more, since its superblock has a checksum.
SECTOR = 1024
DISK_SIZE = 8 << 20


class PowerCut(SavingCheck):
    name = "power-cut"
    promise = "A favourite, once shown as saved, survives a power cut (if the disk keeps flushed data)"
    method = (
        "every write and flush of an ext4 is recorded while favourites are added and undone; stacks starts on the "
        "disk state after each of them: in order, and with any part of the unflushed data lost or torn"
    )
    sabotages = [
        Sabotage("fsync() does nothing", injections=["fsync:retval=0", "fdatasync:retval=0"]),
    ]
    # The keys, the message that follows, and the favourites from then on.
    STEPS = [
        ("t", "★ Favourite: Book 1", {1, 2}),
        ("jjt", "★ Favourite: Book 3", {1, 2, 3}),
        ("t", "Removed from favourites: Book 3", {1, 2}),
        ("jt", "★ Favourite: Book 4", {1, 2, 4}),
        ("u", "Undone: added Book 4 to favourites", {1, 2}),
        ("jt", "★ Favourite: Book 5", {1, 2, 5}),
    ]

    def run(self) -> str:
        need_root()
        need("mkfs.ext4")
        if not os.path.exists("/usr/lib/python3/dist-packages/fusepy.py") or not os.path.exists("/dev/fuse"):
            raise Skipped("python3-fusepy is not installed, or there is no /dev/fuse")
        figures = []
        kinds = self.lab.pick(["data=ordered"], ["data=ordered"], ["data=ordered", "data=writeback", "nodelalloc"])
        for options in kinds:
            image = self.make_image()
            log, said = self.record(image, options)
            states = list(self.states(log))
            limit = self.lab.pick(40, 400, 10**6)
            if len(states) > limit:
                states = self.random().sample(states, limit)
            done = self.lab.each(states, lambda state: self.look_at_disk(image, log, said, state))
            flushes = sum(1 for kind, _, _ in disk.records(log) if kind == disk.FLUSH)
            writes = sum(1 for kind, _, _ in disk.records(log) if kind == disk.WRITE)
            assert flushes >= (0 if self.lab.sabotage.injections else len(self.STEPS)), f"{flushes} flushes"
            figures.append(f"{done} of {len(states)} states of {writes} writes and {flushes} flushes ({options})")
        return ", ".join(figures) + " have everything reported as saved"

    # MARK: Recording

    def make_image(self) -> str:
        """Creates an ext4 image with a home in which Book 2 is a favourite."""
        image = self.lab.directory + "/disk.img"
        with open(image, "wb") as file:
            file.truncate(DISK_SIZE)
        subprocess.run(["mkfs.ext4", "-q", "-F", "-b", "1024", image], check=True, env=environment())
        with Mounted(image) as place:
            shutil.copytree(self.lab.template.path, place + "/home", symlinks=True)
        return image

    def record(self, image: str, options: str) -> tuple[str, list[tuple[int, set[int]]]]:
        """Returns the log, and the number of its records after which each change was reported as saved."""
        log = self.lab.directory + "/disk.log"
        directory = tempfile.mkdtemp(prefix="stacks-disk-")
        server = subprocess.Popen([sys.executable, disk.__file__, directory, image, log])
        try:
            end = time.monotonic() + 10
            while not os.path.exists(directory + "/disk"):
                assert time.monotonic() < end, "the disk does not come up"
                time.sleep(0.02)
            with Mounted(directory + "/disk", options) as place:
                said = self.change(place + "/home", log)
        finally:
            subprocess.run(["umount", directory], capture_output=True)
            server.wait(10)
            os.rmdir(directory)
        return log, said

    def change(self, path: str, log: str) -> list[tuple[int, set[int]]]:
        home = Home.__new__(Home)
        home.path = path
        said = [(0, {2})]
        with self.lab.session(home) as session:
            session.wait_for("★ Book 2")
            for keys, sign, favourites in self.STEPS:
                session.type(keys)
                session.wait_for(sign)
                said.append((sum(1 for _ in disk.records(log)), favourites))
            session.type("q")
            session.wait_for_end()
        return said

    # MARK: What may be on the disk

    def states(self, log: str):
        """Yields each possible state: the complete records, and the written sectors of further ones."""
        dice = self.random()
        flushed = 0
        pending: list[int] = []
        last = 0
        for index, (kind, _, data) in enumerate(disk.records(log)):
            last = index + 1
            if kind == disk.FLUSH:
                flushed = last
                pending = []
                continue
            pending.append(index)
            # In order, like a disk without a cache.
            yield last, last, ()
            for _ in range(self.lab.pick(1, 2, 8)):
                # Any of the unflushed writes, one of them with only some of its sectors.
                kept = [number for number in pending if dice.random() < 0.5]
                torn = dice.choice(pending)
                yield last, flushed, tuple((number, None) for number in kept if number != torn) + (
                    (torn, dice.getrandbits(max(1, len(data) // SECTOR + 1))),
                )
        yield last, last, ()

    def look_at_disk(self, image: str, log: str, said: list, state: tuple) -> None:
        cut, whole, further = state
        further = dict(further)
        with open(image, "rb") as file:
            content = bytearray(file.read())
        for index, (kind, offset, data) in enumerate(disk.records(log)):
            if index >= cut:
                break
            if kind == disk.FLUSH or not (index < whole or index in further):
                continue
            mask = further.get(index)
            for start in range(0, len(data), SECTOR):
                if mask is None or mask >> (start // SECTOR) & 1:
                    content[offset + start : offset + start + SECTOR] = data[start : start + SECTOR]
        number = max(index for index, (position, _) in enumerate(said) if position <= cut)
        allowed = [{f"Book {n}" for n in favourites} for _, favourites in said[number : number + 2]]
        with tempfile.NamedTemporaryFile(prefix="stacks-disk-", dir=self.lab.directory) as file:
            file.write(content)
            file.flush()
            with Mounted(file.name) as place:
                home = Home.__new__(Home)
                home.path = place + "/home"
                kept = self.lab.favourites(home)
                assert kept in allowed, f"after {cut} records {sorted(kept)} are kept, and allowed is {allowed}"
                self.check_whole(home)
                assert not [name for name in home.files() if ".bad-" in name]


class Mounted:
    """Mounts a file system image for the duration of a `with` block."""

    def __init__(self, image: str, options: str = ""):
        self.image = image
        self.options = "loop" + (f",{options}" if options else "")
        self.place = tempfile.mkdtemp(prefix="stacks-mount-")

    def __enter__(self) -> str:
        mount = subprocess.run(
            ["mount", "-t", "ext4", "-o", self.options, self.image, self.place], capture_output=True, text=True
        )
        if mount.returncode != 0:
            os.rmdir(self.place)
            raise OSError(f"{self.image} cannot be mounted: {mount.stderr}")
        return self.place

    def __exit__(self, *_) -> None:
        for _ in range(50):
            if subprocess.run(["umount", self.place], capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        os.rmdir(self.place)


def environment() -> dict[str, str]:
    return dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")


assert BOOKS == 5, "the steps of a power cut go to Book 5"
CHECKS = [PowerCut]
