"""External checkers of a proof, which others wrote; each is skipped, with a reason, where it is missing.

References
----------
L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann and P. Schneider-Kamp, "Efficient certified RAT verification",
CADE 2017: the checker in ACL2, proved correct there.
"""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from twinproof.compare.certificates.claims import refuted
from twinproof.compare.certificates.verify import Certificate
from twinproof.optim.proof.files import ProofFile

BOOKS = Path("/usr/share")
ACL2_BOOK = "projects/sat/lrat/list-based/run"
# The two packages stand in for files that some distributions leave out; without compiling, the stack overflows.
ACL2_SCRIPT = """\
(defpkg "XDOC"
  (union-eq '(b* value defxdoc defsection) (union-eq *acl2-exports* *common-lisp-symbols-from-main-lisp-package*)))
(defpkg "STD" (union-eq '(b*) (union-eq *acl2-exports* *common-lisp-symbols-from-main-lisp-package*)))
(ld "{portcullis}")
(set-inhibit-output-lst '(warning! warning observation prove proof-tree event summary))
(include-book "{book}" :dir :system)
(comp t)
(in-package "LRAT")
(lrat-check "{formula}" "{proof}")
"""
VERIFIED = "s VERIFIED"


@dataclass(frozen=True)
class ExternalCheck:
    """What another checker says.

    Parameters
    ----------
    checker : str
    accepts : bool or None
        None if it was not asked.
    reason : str
        Why not.
    """

    checker: str
    accepts: bool | None
    reason: str = ""

    def __str__(self) -> str:
        if self.accepts is None:
            return f"{self.checker}: skipped: {self.reason}"
        return f"{self.checker}: {'accepts' if self.accepts else 'REFUSES'}"


def check_externally(certificate: Certificate) -> list[ExternalCheck]:
    """Ask every checker that is installed about the proof of a certificate, which must be valid."""
    formula = refuted(certificate.puzzle, certificate.instance, certificate.claim, certificate.lex_leaders)
    with TemporaryDirectory(prefix="twinproof-") as folder:
        formula_path, proof_path = Path(folder) / "formula.cnf", Path(folder) / "proof.lrat"
        with formula_path.open("w", encoding="ascii") as file:
            file.writelines(formula.dimacs())
        with proof_path.open("wb") as unpacked:
            unpacked.writelines(line + b"\n" for line in ProofFile(certificate.proof_path))
        return [ask(formula_path, proof_path) for ask in CHECKERS.values()]


def dratify(formula: Path, proof: Path) -> ExternalCheck:
    """Ask dratify, which finds the hints itself: it is given the clauses only, as a DRAT proof.

    Parameters
    ----------
    formula : Path
        A DIMACS file.
    proof : Path
        The LRAT proof.

    Returns
    -------
    ExternalCheck
        Whether the proof holds; None where the package is missing.
    """
    try:
        from dratify import check_proof, parse_dimacs_file  # noqa: PLC0415 - need not be installed
    except ImportError:
        return ExternalCheck("dratify", None, "the package dratify is not installed")
    return ExternalCheck("dratify", bool(check_proof(parse_dimacs_file(str(formula)), _drat(proof)).ok))


def _drat(proof: Path) -> str:
    """Turn an LRAT proof into a DRAT proof: without hints and ids, and with deleted clauses written out."""
    added: dict[str, str] = {}
    lines = []
    with proof.open(encoding="ascii") as file:
        for line in file:
            name, rest = line.split(maxsplit=1)
            if rest.startswith("d "):
                lines += [f"d {added.pop(deleted)}" for deleted in rest.split()[1:-1] if deleted in added]
            else:
                clause, _, _ = f" {rest}".partition(" 0 ")
                added[name] = f"{clause.strip()} 0".strip()
                lines.append(added[name])
    return "\n".join(lines) + "\n"


def acl2(formula: Path, proof: Path) -> ExternalCheck:
    """Ask ACL2's checker of LRAT proofs.

    Parameters
    ----------
    formula : Path
        A DIMACS file.
    proof : Path
        The LRAT proof.

    Returns
    -------
    ExternalCheck
        Whether the proof holds; None where the program or its books are missing.
    """
    program = shutil.which("acl2")
    if program is None:
        return ExternalCheck("acl2", None, "there is no program acl2")
    portcullis = next(BOOKS.glob("acl2-*/books/projects/sat/lrat/portcullis.acl2"), None)
    if portcullis is None:
        return ExternalCheck("acl2", None, f"its books are not in {BOOKS}")
    script = ACL2_SCRIPT.format(portcullis=portcullis, book=ACL2_BOOK, formula=formula, proof=proof)
    ran = subprocess.run([program], input=script, capture_output=True, text=True, check=False, cwd=proof.parent)
    # Its exit status is 0 in any case.
    return ExternalCheck("acl2", any(line.strip().endswith(VERIFIED) for line in ran.stdout.splitlines()))


CHECKERS: dict[str, Callable[[Path, Path], ExternalCheck]] = {"dratify": dratify, "acl2": acl2}
