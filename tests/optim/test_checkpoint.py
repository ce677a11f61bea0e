"""Checkpoints: what is kept of a stopped search, and that nothing of the file is believed when it goes on."""

import errno
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.running import Run
from twinproof.compare.questions.answer import Question, answer
from twinproof.models.field.sources import read_field
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import InputError, Status
from twinproof.optim.frontier_outcome import FrontierOutcome
from twinproof.optim.process import checkpoint, tasks
from twinproof.optim.process.checkpoint import Checkpoint
from twinproof.optim.request import EngineOptions

relaxed_settings = examples(15)
many = examples(100)

DISC = Question("hops", HopsPuzzle(read_field("disc:9")), "most-hops")
LINES = Question("hops", HopsPuzzle(read_field("grid:3x4")), "most-hops")
AT_HOPS = Question("hops", HopsPuzzle(read_field("disc:9"), hops=14), "fewest-sprinklers")
SPRINKLERS = Question("sprinklers", SprinklerPuzzle(read_field("grid:4x4")), "fewest-sprinklers")

# Published: 14 hops and 648 layouts on the disc. CP-SAT and RC2: 8 sprinklers with 14 hops.
# OEIS A347632: two dominating sets of 4 tiles on the 4x4 grid.
TRUTH = {DISC: (14, 648), AT_HOPS: (8, None), SPRINKLERS: (4, 2), LINES: (None, None)}


def asked(
    question: Question, path: Path, resume: bool, looks: int | None = None, counting: bool = False
) -> FrontierOutcome[Any]:
    """Put a question to the frontier engine, and stop it when it has looked so many times whether it should."""
    seen = iter(range(10**9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "stop_requested", lambda: looks is not None and next(seen) >= looks)
        options = EngineOptions(counting=counting, checkpoint=Checkpoint(path, resume))
        outcome = answer(question, "frontier", isolated=False, options=options).outcome
    assert isinstance(outcome, FrontierOutcome)
    return outcome


@cache
def kept(question: Question, looks: int, counting: bool) -> bytes:
    """Give the checkpoint of a search that was stopped."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept.checkpoint"
        asked(question, path, False, looks, counting)
        return path.read_bytes()


@cache
def expected(question: Question, counting: bool) -> tuple[int | None, int | None]:
    value, layouts = TRUTH[question]
    if value is None:
        value = answer(question, "maxsat", isolated=False).outcome.value
    return value, layouts if counting else None


Layers = list[npt.NDArray[np.int32]]


def opened(content: bytes) -> tuple[dict[str, Any], Layers]:
    line, _, rest = content.partition(b"\n")
    header = json.loads(line)
    layers, begin = [], 0
    for rows, labels in header["links"]:
        end = begin + 4 * rows * labels
        layers.append(np.frombuffer(rest[begin:end], dtype="<i4").reshape(rows, labels).copy())
        begin = end
    assert len(rest) == begin + 32
    return header, layers


def sealed(header: dict[str, Any], layers: Layers, described: bool = True) -> bytes:
    """Write a checkpoint with a digest that fits, whatever it holds."""
    if described:
        header = header | {"links": [list(layer.shape) for layer in layers]}
    content = json.dumps(header).encode() + b"\n" + b"".join(layer.tobytes() for layer in layers)
    return content + hashlib.blake2b(content, digest_size=32).digest()


def checked(question: Question, content: bytes, counting: bool) -> bool:
    """Resume a checkpoint: the truth or a refusal in a line, and nothing left behind; whether it was accepted."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kept.checkpoint"
        path.write_bytes(content)
        refusal = None
        try:
            outcome = asked(question, path, True, counting=counting)
        except InputError as error:
            refusal = str(error)
        if refusal is not None:
            assert "\n" not in refusal
            assert path.read_bytes() == content
            assert list(Path(folder).iterdir()) == [path]
            return False
        assert (outcome.status, (outcome.value, outcome.layouts)) == (
            Status.OPTIMAL,
            expected(question, counting),
        )
        assert list(Path(folder).iterdir()) == []
        return True


questions = st.sampled_from([(DISC, False), (DISC, True), (LINES, False), (SPRINKLERS, True), (AT_HOPS, False)])
stages = st.sampled_from([1, 9, 30, 33])


def change_number(layers: Layers, draw: Callable[[Any], Any]) -> None:
    layer = draw(st.sampled_from([layer for layer in layers if len(layer)]))
    row, label = draw(st.integers(0, len(layer) - 1)), draw(st.integers(0, layer.shape[1] - 1))
    near = st.integers(-3, len(layer) + 3)
    layer[row, label] = draw(
        near | st.sampled_from([-(2**31), 2**31 - 1, 2**24]) | st.integers(-(2**31), 2**31 - 1)
    )


def swap_numbers(layers: Layers, draw: Callable[[Any], Any]) -> None:
    """Give two states each other's numbers, everywhere."""
    number = draw(st.integers(0, len(layers) - 1))
    layer, before = layers[number], layers[number - 1]
    if len(layer) > 1:
        one, other = draw(st.permutations(range(len(layer))).map(lambda order: order[:2]))
        layer[[one, other]] = layer[[other, one]]
        is_one, is_other = before == one, before == other
        before[is_one], before[is_other] = other, one


def split_state(layers: Layers, draw: Callable[[Any], Any]) -> None:
    """Give a state a second number, by which it is called from somewhere."""
    number = draw(st.integers(0, len(layers) - 1))
    layer, before = layers[number], layers[number - 1]
    places = np.argwhere((before >= 0) & (before < len(layer)))
    if len(places):
        row, label = places[draw(st.integers(0, len(places) - 1))]
        layers[number] = np.concatenate([layer, layer[before[row, label]][None]])
        before[row, label] = len(layer)


def drop_rows(layers: Layers, draw: Callable[[Any], Any]) -> None:
    number = draw(st.integers(0, len(layers) - 1))
    layers[number] = layers[number][: draw(st.integers(0, len(layers[number])))]


def drop_all_after(layers: Layers, draw: Callable[[Any], Any]) -> None:
    """Make the file one of an earlier moment of the search."""
    number = draw(st.integers(0, len(layers) - 1))
    layers[number] = layers[number][: draw(st.integers(0, len(layers[number])))]
    for later in range(number + 1, len(layers)):
        layers[later] = layers[later][:0]


def add_rows(layers: Layers, draw: Callable[[Any], Any]) -> None:
    number = draw(st.integers(0, len(layers) - 1))
    row = draw(st.lists(st.integers(-1, 50), min_size=layers[number].shape[1], max_size=layers[number].shape[1]))
    if row:
        layers[number] = np.concatenate([layers[number], np.array([row], dtype="<i4")])


def reshape(layers: Layers, draw: Callable[[Any], Any]) -> None:
    number = draw(st.integers(0, len(layers) - 1))
    layers[number] = layers[number].reshape(layers[number].shape[::-1])


def drop_layer(layers: Layers, draw: Callable[[Any], Any]) -> None:
    del layers[draw(st.integers(0, len(layers) - 1))]


def swap_layers(layers: Layers, draw: Callable[[Any], Any]) -> None:
    one, other = (draw(st.integers(0, len(layers) - 1)) for _ in range(2))
    layers[one], layers[other] = layers[other], layers[one]


Mutation = Callable[[Layers, Callable[[Any], Any]], None]
MUTATIONS: list[Mutation] = [
    change_number,
    swap_numbers,
    split_state,
    drop_rows,
    drop_all_after,
    add_rows,
    reshape,
    drop_layer,
    swap_layers,
]


@many
@given(asks=questions, looks=stages, data=st.data())
@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_a_file_that_was_changed_and_sealed_again_gives_the_truth_or_is_refused(
    mutate: Callable[[Layers, Callable[[Any], Any]], None],
    asks: tuple[Question, bool],
    looks: int,
    data: st.DataObject,
) -> None:
    header, layers = opened(kept(asks[0], looks, asks[1]))
    for _ in range(data.draw(st.integers(1, 3))):
        if any(map(len, layers)):
            mutate(layers, data.draw)
    checked(asks[0], sealed(header, layers), asks[1])


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@many
@given(asks=questions, looks=stages, data=st.data())
def test_a_first_line_that_was_changed_and_sealed_again_gives_the_truth_or_is_refused(
    asks: tuple[Question, bool], looks: int, data: st.DataObject
) -> None:
    header, layers = opened(kept(asks[0], looks, asks[1]))
    name = data.draw(st.sampled_from(sorted(header)))
    if name == "links" and data.draw(st.booleans()):
        shapes = deepcopy(header["links"])
        shape = data.draw(st.sampled_from(shapes))
        shape[data.draw(st.integers(0, 1))] = data.draw(junk | st.sampled_from([2**31 - 1, 2**62, -1, 0]))
        header["links"] = shapes
    elif data.draw(st.booleans()):
        header[name] = data.draw(junk)
    else:
        del header[name]
    checked(asks[0], sealed(header, layers, described=False), asks[1])


def test_what_is_kept_is_accepted_at_every_stage() -> None:
    for question, counting in ((DISC, True), (LINES, False), (SPRINKLERS, True), (DISC, False)):
        for looks in (1, 2, 5, 9, 14, 20, 30, 33):
            assert checked(question, kept(question, looks, counting), counting)


def test_a_target_that_is_written_into_the_file_is_not_heeded() -> None:
    header, layers = opened(kept(DISC, 33, False))
    header |= {"facts": {"phase": "graph", "target": 10}, "target": 10, "labels": [0] * 8}
    assert checked(DISC, sealed(header, layers), False)


def test_a_state_with_two_numbers_at_the_cut_is_refused() -> None:
    # The graph is complete, so that nothing is looked for any more: only the cut is looked through.
    header, layers = opened(kept(DISC, 33, True))
    place = next(place for place in np.argwhere(layers[-1] >= 0)[::-1])
    layers[0] = np.concatenate([layers[0], layers[0][layers[-1][tuple(place)]][None]])
    layers[-1][tuple(place)] = len(layers[0]) - 1
    assert not checked(DISC, sealed(header, layers), True)


@relaxed_settings
@given(looks=st.lists(st.integers(0, 60), min_size=1, max_size=3), counting=st.booleans())
@pytest.mark.parametrize("name", ["disc:9", "disc:20"])
def test_a_search_stopped_anywhere_and_resumed_ends_as_if_it_had_not_been(
    tmp_path_factory: pytest.TempPathFactory, name: str, looks: list[int], counting: bool
) -> None:
    question = Question("hops", HopsPuzzle(read_field(name)), "most-hops")
    path = tmp_path_factory.mktemp("search") / "search.checkpoint"
    best = asked(question, path, False, counting=counting)
    assert not path.exists()
    for number in looks:
        asked(question, path, path.exists(), number, counting)
    outcome = asked(question, path, path.exists(), counting=counting)
    assert (outcome.status, outcome.value, outcome.layouts) == (Status.OPTIMAL, best.value, best.layouts)
    assert not path.exists()


def test_a_search_stopped_before_it_has_read_its_file_leaves_it(tmp_path: Path) -> None:
    path = tmp_path / "kept.checkpoint"
    content = kept(DISC, 30, False)
    path.write_bytes(content)
    for looks in (0, 5, 30):
        outcome = asked(DISC, path, True, looks)
        assert (outcome.kept, outcome.value) == (tasks.Kept(), None)
        assert path.read_bytes() == content


@pytest.mark.parametrize("looks", [0, 3, 40, 10**6])
def test_a_question_of_two_searches_is_resumed_in_either(tmp_path: Path, looks: int) -> None:
    # 8 sprinklers with 14 hops: CP-SAT and RC2 say so too. Each search looks more than 40 times.
    question = Question("hops", HopsPuzzle(read_field("disc:9")), "fewest-sprinklers")
    path = tmp_path / "kept.checkpoint"
    with pytest.MonkeyPatch.context() as patch:
        seen = iter(range(10**9))
        patch.setattr(tasks, "stop_requested", lambda: next(seen) >= looks)
        options = EngineOptions(checkpoint=Checkpoint(path))
        unfinished = answer(question, "frontier", isolated=False, options=options)
    assert path.exists() == (unfinished.outcome.value is None)
    options = EngineOptions(checkpoint=Checkpoint(path, path.exists()))
    resumed = answer(question, "frontier", isolated=False, options=options)
    assert (resumed.outcome.status, resumed.outcome.value) == (Status.OPTIMAL, 8)
    assert not path.exists()


@examples(30)
@given(data=st.data())
def test_a_checkpoint_with_any_byte_changed_or_missing_is_refused(data: st.DataObject) -> None:
    content = bytearray(kept(DISC, 9, False))
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= data.draw(st.integers(1, 255))
    else:
        del content[place:]
    assert not checked(DISC, bytes(content), False)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no checkpoint"),
        (b'{"form": "twinproof frontier checkpoint 1", "question": "q"}\n' + bytes(32), "is damaged"),
        (b'{"form": "twinproof frontier checkpoint ' + b"9" * 10**6, "is damaged"),
        (b'{"form": "twinproof frontier checkpoint 2"' + b"[" * 10**5, "is damaged"),
    ],
)
def test_what_is_no_whole_checkpoint_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.checkpoint"
    for end in (b"", hashlib.blake2b(content, digest_size=32).digest()):
        path.write_bytes(content + end)
        with pytest.raises(InputError, match=r"is no checkpoint|is damaged|another version"):
            Checkpoint(path, True).load()
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        Checkpoint(path, True).load()


def test_a_file_of_any_length_is_refused_in_little_memory(tmp_path: Path) -> None:
    header, _ = opened(kept(DISC, 9, False))
    path = tmp_path / "kept.checkpoint"
    path.write_bytes(json.dumps(header).encode() + b"\n")
    with path.open("r+b") as file:
        file.truncate(1 << 40)  # a hole, which takes no room on the disk
    with pytest.raises(InputError, match="is damaged"):
        asked(DISC, path, True)


def test_the_file_of_another_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    header, layers = opened(kept(DISC, 9, False))
    path = tmp_path / "kept.checkpoint"
    for change in ({"code": "0.0.1, 0123456789abcdef"}, {"form": "twinproof frontier checkpoint 1"}):
        path.write_bytes(sealed(header | change, layers))
        with pytest.raises(InputError, match=r"another version of twinproof; start anew without --resume$"):
            asked(DISC, path, True)


def test_a_checkpoint_keeps_links_in_pieces_and_layers_without_any(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "a.checkpoint", True, "question", "code")
    piece = np.array([[1, -1], [0, 2**31 - 1]], np.int32)
    checkpoint.save([[piece, piece[:1]], [], [piece[:0]]])
    first, *others = checkpoint.load()
    assert (first == [[1, -1], [0, 2**31 - 1], [1, -1]]).all()
    assert [len(links) for links in others] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["a.checkpoint"]
    checkpoint.save([[piece]] * 3_000)
    assert len(checkpoint.load()) == 3_000


def stopped(tmp_path: Path) -> Path:
    """Leave the checkpoint of a search for the most hops on a small disc."""
    path = tmp_path / "kept.checkpoint"
    path.write_bytes(kept(DISC, 9, False))
    return path


def test_the_command_resumes_a_kept_search_and_removes_its_file(twinproof: Run, tmp_path: Path) -> None:
    path = stopped(tmp_path)
    status, out, err = twinproof(
        "solve", "hops", "disc:9", "--engine", "frontier", "--resume", str(path), "--json"
    )
    assert (status, json.loads(out)["value"], err) == (0, 14, "")
    assert not path.exists()


def stop_after(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    seen = iter(range(10**9))
    monkeypatch.setattr(tasks, "stop_requested", lambda: next(seen) >= looks)


SOLVE = ("solve", "hops", "disc:9", "--engine", "frontier")


def test_the_command_says_where_a_search_is_kept(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_after(monkeypatch, 9)
    status, _, err = twinproof(*SOLVE, "--checkpoint", "a.checkpoint")
    assert (status, err) == (3, "twinproof: kept; go on with the same command and --resume a.checkpoint\n")
    content = (tmp_path / "a.checkpoint").read_bytes()
    status, _, err = twinproof(*SOLVE, "--resume", "a.checkpoint")  # it is stopped at once
    assert (status, err) == (3, "twinproof: kept; go on with the same command and --resume a.checkpoint\n")
    assert (tmp_path / "a.checkpoint").read_bytes() == content


def fail_to_write(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the folder vanish as soon as the search is asked to stop."""
    save = Checkpoint.save

    def save_there(self: Checkpoint, layers: Any) -> None:
        shutil.rmtree(folder)
        save(self, layers)

    monkeypatch.setattr(Checkpoint, "save", save_there)


def test_a_checkpoint_whose_folder_is_gone_is_said_to_be_lost(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    fail_to_write(monkeypatch, tmp_path / "sub")
    stop_after(monkeypatch, 40)
    status, out, err = twinproof(*SOLVE, "--checkpoint", "sub/a.checkpoint")
    assert (status, err) == (4, "twinproof: sub/a.checkpoint: could not be kept: No such file or directory\n")
    assert "frontier: most-hops: " in out  # what was found so far
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Iterator[bytes]:
        yield b"the first bytes"
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.checkpoint"
    content = kept(DISC, 9, False)
    path.write_bytes(content)
    monkeypatch.setattr(checkpoint, "_parts", full)
    stop_after(monkeypatch, 30)
    status, _, err = twinproof(*SOLVE, "--resume", "a.checkpoint")
    assert (status, err) == (
        4,
        "twinproof: a.checkpoint: could not be kept: No space left on device; "
        "the search is there as it was before\n",
    )
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_what_does_not_fit_is_refused_by_the_command_in_one_line(twinproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "kept.checkpoint"
    header, layers = opened(kept(DISC, 9, False))
    layers[0][0, 0] = 10**9
    path.write_bytes(sealed(header, layers))
    status, out, err = twinproof("solve", "hops", "disc:9", "--engine", "frontier", "--resume", str(path))
    assert (status, out) == (2, "")
    assert err == (
        f"twinproof: {path}: holds a number that is not that of its state; start anew without --resume\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["disc:16", "--engine", "frontier", "--resume", "kept.checkpoint"], "belongs to another question"),
        (["disc:9", "--engine", "frontier", "--harvest", "8", "--resume", "kept.checkpoint"], "another question"),
        (["disc:9", "--engine", "frontier", "--resume", "missing.checkpoint"], "there is no such file"),
        (["disc:9", "--engine", "cpsat", "--resume", "kept.checkpoint"], "options of the frontier engine only"),
        (["disc:9", "--engine", "frontier", "--checkpoint", "kept.txt"], "must end in .checkpoint"),
        (["disc:9", "--engine", "frontier", "--checkpoint", "no/kept.checkpoint"], "does not exist"),
        (["disc:9", "--warm-start", "maxsat"], "only the engines frontier and band give one"),
        (["disc:9", "--engine", "maxsat", "--warm-start", "frontier"], "an option of cpsat only"),
        (["disc:9", "--engine", "frontier", "--cut", "band"], "an option of cpsat and maxsat only"),
        (["disc:9", "--cut", "band"], "hops has no model for it"),
        (["disc:9", "--cut", "frontier"], "there is nothing to give up"),
        (["grid:20x20", "--hint", "frontier"], "too wide"),
    ],
)
def test_what_cannot_be_kept_resumed_or_told_is_refused_in_one_line(
    twinproof: Run, tmp_path: Path, words: list[str], message: str
) -> None:
    path = stopped(tmp_path)
    before = path.read_bytes()
    status, out, err = twinproof("solve", "hops", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert path.read_bytes() == before
