"""What the results of a comparison say in figures: who settled what, in how many seconds, and who is faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from twinproof.compare.campaign.case import Result
from twinproof.compare.campaign.certified import CERTIFICATE
from twinproof.compare.campaign.judge import QuestionVerdict, judge, settles
from twinproof.compare.campaign.suite import read_suite
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.models import PUZZLES
from twinproof.optim.engine import ALIASES

SUITES = ("standard", "full")
NEAR = 1.5
"""Two engines whose seconds differ by less than this factor are called equally fast."""

QUICK = 0.5
"""Where both engines take fewer seconds, the difference is that of starting processes and says nothing."""

HARD_SECONDS = 10.0
"""A question counts as hard if one of the two engines took longer."""

MOST_HARD = 4
"""The page has a picture of at most this number of hard questions."""


@dataclass(frozen=True)
class Duel:
    """CP-SAT against MaxSAT on the questions of one puzzle.

    Parameters
    ----------
    puzzle : str
    questions : int
        Those that at least one of the two settled.
    cpsat, maxsat, near : int
        Where each was faster by the factor `NEAR` or alone settled it, and where neither was.
    ratio : float or None
        Median of MaxSAT's seconds over CP-SAT's where both settled it and one took more than `QUICK` seconds.
    """

    puzzle: str
    questions: int
    cpsat: int
    maxsat: int
    near: int
    ratio: float | None

    @property
    def winner(self) -> str | None:
        """The engine that is faster on more than twice as many questions as the other, if there is one."""
        if max(self.cpsat, self.maxsat) <= 2 * min(self.cpsat, self.maxsat):
            return None
        return "cpsat" if self.cpsat > self.maxsat else "maxsat"


def gather(found: Sequence[Result]) -> list[QuestionVerdict]:
    """Judge the results of the suites that the report is about; of each case the last result counts."""
    verdicts = []
    seen = set()
    for name in SUITES:
        for asked in read_suite(name).asked:
            # The longer suite asks some questions again, of more engines or with more time.
            last = {
                (engine := ALIASES.get(result["engine"], result["engine"])): {**result, "engine": engine}
                for result in found
                if result["asked"] == asked.key
            }
            if last and asked.key not in seen:
                seen.add(asked.key)
                verdicts.append(judge(asked, list(last.values())))
    return verdicts


def puzzles(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    """List the puzzles that were asked about, in the order of the suites."""
    return list(dict.fromkeys(verdict.asked.question.puzzle for verdict in verdicts))


def own_models(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    """List the engines that have answered and for which the puzzles have models."""
    engines = {engine for puzzle in puzzles(verdicts) for engine in PUZZLES.find(puzzle).engines}
    return [engine for engine in _answering(verdicts) if engine in engines]


def external(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    """List the solvers of others that have answered, on the models of maxsat."""
    return [engine for engine in _answering(verdicts) if engine not in (*own_models(verdicts), CERTIFICATE)]


def _answering(verdicts: Sequence[QuestionVerdict]) -> list[str]:
    return list(dict.fromkeys(engine for verdict in verdicts for engine in verdict.results))


def settled_by(verdict: QuestionVerdict) -> int:
    """Count the engines that settled a question."""
    return sum(is_settled(verdict, engine) for engine in verdict.results)


def own_seconds(result: Result) -> float:
    """Seconds of building and searching, without those of starting a process and loading the solver."""
    return max(0.0, float(result["seconds"]) - float(result.get("startup", 0.0)))


def is_settled(verdict: QuestionVerdict, engine: str) -> bool:
    """Whether an engine has answered a question and settled it.

    Parameters
    ----------
    verdict : QuestionVerdict
        On the question, with every engine's result.
    engine : str
        The engine's name.

    Returns
    -------
    bool
        False too if the engine was not asked.
    """
    return engine in verdict.results and settles(verdict.asked, verdict.results[engine])


def duel(puzzle: str, verdicts: Sequence[QuestionVerdict]) -> Duel:
    """Count where each of the two engines is the faster one.

    Parameters
    ----------
    puzzle : str
        Questions of other puzzles are passed over.
    verdicts : sequence of QuestionVerdict
    """
    wins = {"cpsat": 0, "maxsat": 0, "near": 0}
    ratios = []
    for verdict in verdicts:
        settled = [engine for engine in TWINS if is_settled(verdict, engine)]
        if verdict.asked.question.puzzle != puzzle or not settled or not set(TWINS) <= set(verdict.results):
            continue
        if len(settled) == 1:
            wins[settled[0]] += 1
            continue
        cpsat, maxsat = (own_seconds(verdict.results[engine]) for engine in TWINS)
        if max(cpsat, maxsat) < QUICK:
            wins["near"] += 1
            continue
        # Below a millisecond a clock says nothing.
        ratios.append(max(0.001, maxsat) / max(0.001, cpsat))
        wins["cpsat" if maxsat > NEAR * cpsat else "maxsat" if cpsat > NEAR * maxsat else "near"] += 1
    return Duel(puzzle, sum(wins.values()), **wins, ratio=median(ratios) if ratios else None)


def hard(verdicts: Sequence[QuestionVerdict]) -> list[QuestionVerdict]:
    """Choose the questions over which the two engines took longest, and whose value or bound moved."""
    taken = [
        (max(own_seconds(verdict.results[engine]) for engine in TWINS), verdict)
        for verdict in verdicts
        if set(TWINS) <= set(verdict.results)
        and not verdict.failed
        and any(len(verdict.results[engine].get("trace", ())) > 2 for engine in TWINS)
    ]
    chosen = sorted(taken, key=lambda pair: -pair[0])[:MOST_HARD]
    return [verdict for seconds, verdict in chosen if seconds >= HARD_SECONDS]
