"""The command certify: a claim, proved for others to check."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.certificates.certify import (
    Wanted,
    certify_clauses,
    certify_frontier,
    check_wanted,
    choose_way,
    default_claim,
)
from twinproof.compare.certificates.verify import PROOF_ENDING, check_proof_name
from twinproof.compare.cli.command import NEGATIVE, SOLVED, UNFINISHED, finish_undisturbed, print_result
from twinproof.compare.cli.options import (
    MemoryLimit,
    ObjectiveName,
    OptionalInstance,
    PuzzleName,
    TimeLimit,
    instance_options,
)
from twinproof.compare.output.records import check_writable
from twinproof.compare.output.terminal import following
from twinproof.compare.output.words import command_line
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Puzzle
from twinproof.optim import InputError, Limits

CERTIFICATES = Path("reports/certificates")


@instance_options("apart_from")
def certify(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    claim: Annotated[
        str | None,
        typer.Option(
            help="optimum, unique, infeasible or forced; by default the puzzle's first, or infeasible if a number "
            "is given or there is no layout."
        ),
    ] = None,
    objective: ObjectiveName = None,
    at_least: Annotated[int | None, typer.Option(help="Prove that no layout has a value of at least K.")] = None,
    at_most: Annotated[int | None, typer.Option(help="Prove that no layout has a value of at most K.")] = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="clauses: a refutation. frontier: the states of the frontier engine, the default where a puzzle "
            "can be certified so."
        ),
    ] = None,
    no_symmetry_breaking: Annotated[
        bool,
        typer.Option(
            "--no-symmetry-breaking",
            help="Refute all layouts, not only the lexicographically first of those alike up to a symmetry.",
        ),
    ] = False,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    output: Annotated[
        Path | None,
        typer.Option(help="The certificate, FILE.json; by default PUZZLE-INSTANCE.json in reports/certificates/."),
    ] = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Prove a claim about a puzzle, and write a certificate that `verify` can check.

    Exit status: 0 written; 1 the claim is false; 3 stopped by a limit or Ctrl-C.
    """
    found = PUZZLES.find(puzzle)
    built = found.read(instance, options)
    claimed = claim or default_claim(found, at_least is not None or at_most is not None)
    wanted = Wanted(found, built, claimed, claim is None, objective, at_least, at_most, not no_symmetry_breaking)
    check_wanted(wanted)
    by_frontier = choose_way(wanted, by) == "frontier"
    path = output or CERTIFICATES / f"{found.name}-{_stem(found, instance, built)}.json"
    with ExitStack() as stack:
        if output is None:
            stack.enter_context(_folder(CERTIFICATES))
        check_writable(path, (".json",))
        if not by_frontier:
            proof = path.with_name(check_proof_name(path.stem + PROOF_ENDING))
            check_writable(proof, (proof.suffix,))
        follow = stack.enter_context(following(Console(stderr=True)))
        make, label = (certify_frontier, "frontier") if by_frontier else (certify_clauses, "certify")
        came = make(wanted, path, command_line(), Limits(time_limit, memory_limit), follow(label))
    finish_undisturbed()
    if came.stopped is not None:
        print_result(f"not proved; {came.stopped}")
        raise typer.Exit(UNFINISHED)
    print_result(f"{came.message}: {path}" if came.written else came.message)
    raise typer.Exit(SOLVED if came.written else NEGATIVE)


def _stem(puzzle: Puzzle[Any], instance: str | None, built: Any) -> str:
    """Say what an instance is called in a file's name."""
    if instance == "-":
        return "standard-input"
    if instance is not None and puzzle.formats and not os.path.lexists(instance):
        # All addresses have one name: the digest tells puzzles apart, and not the spellings of one.
        digest = hashlib.blake2b("\n".join(puzzle.rows(built)).encode(), digest_size=4).hexdigest()
        return f"{built.name}-{digest}".replace(" ", "-")
    return Path(instance or puzzle.default or built.name).stem.replace(":", "-")


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Make a folder, and those above it, as far as they are missing; those that stay empty are removed again."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error
    try:
        yield
    finally:
        for one in missing:
            with suppress(OSError):
                one.rmdir()
