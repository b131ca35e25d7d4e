"""The built distributions, and a small project of a user who installed the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import textwrap
import venv
import zipfile
from importlib.metadata import PathDistribution
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {"src", "tests", "docs", "examples"}
FILES = {"pyproject.toml", "README.md", "LICENSE"}
CACHES = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", "_build"}
PACKAGE = ROOT / "src" / "toolresult"
MODULES = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}

TOOLS = '''
"""Tools of a small project."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import assert_type

from toolresult import Answer, ContentPart, Request, ToolResult

WORDS = {"owl": "a bird of the night"}
PIXEL = b"\\x89PNG\\r\\n\\x1a\\n and so on"


def look_up(word: str) -> ToolResult:
    if word not in WORDS:
        return ToolResult.error(f"no entry: {word}", code="not_found")
    return ToolResult.ok(WORDS[word], value={"word": word})


def picture(name: str, *, root: Path) -> ToolResult:
    return ToolResult.image(name, root=root)


def album(pictures: Iterable[bytes]) -> ToolResult:
    shown = (ContentPart.image(data, name=f"../page {n}.png") for n, data in enumerate(pictures, 1))
    return ToolResult.ok(parts=[ContentPart.from_text("Your album"), *shown])


def delete(word: str, answer: Answer | None = None) -> ToolResult:
    if answer is None:
        return ToolResult.pending(Request.approval(f"Delete {word}?", arguments={"word": word}))
    return ToolResult.ok(f"deleted {word}") if answer else answer.to_result()


def keep(result: ToolResult, folder: Path) -> list[str]:
    return [part.save(folder) for part in result.parts or () if part.data is not None]


def checked() -> None:
    result = look_up("owl")
    assert_type(result.output, str)
    assert_type(result.parts, tuple[ContentPart, ...] | None)
    assert_type(result.request, Request | None)
    ToolResult.ok(3)  # type: ignore[arg-type]
    result.output = "changed"  # type: ignore[misc]
    result.text  # type: ignore[attr-defined]
'''

TEST_TOOLS = '''
"""Tests of the tools, which draw values of the library by annotation alone."""

import sys
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import tools
from toolresult import Answer, ContentPart, Request, ToolResult

IMPORTED = "toolresult.strategies" in sys.modules
settings.register_profile("here", derandomize=True, database=None, deadline=None, max_examples=200)
settings.load_profile("here")


@dataclass
class Step:
    call_id: str
    result: ToolResult


def test_tools(tmp_path):
    assert tools.look_up("owl").value == {"word": "owl"}
    assert tools.look_up("elk") == ToolResult.error("no entry: elk", code="not_found")
    (tmp_path / "dot.png").write_bytes(tools.PIXEL)
    assert tools.picture("dot.png", root=tmp_path).data == tools.PIXEL
    assert tools.picture("../dot.png", root=tmp_path).is_error
    asked = tools.delete("owl")
    assert asked.is_pending
    assert tools.delete("owl", asked.request.accept()) == ToolResult.ok("deleted owl")
    assert tools.delete("owl", asked.request.decline("too cute")).is_error


def test_files_are_saved_where_they_belong(tmp_path):
    saved = tools.keep(tools.album([tools.PIXEL, tools.PIXEL + b"!"]), tmp_path)
    assert saved == [str(tmp_path / "page 1.png"), str(tmp_path / "page 2.png")]
    assert [Path(path).read_bytes() for path in saved] == [tools.PIXEL, tools.PIXEL + b"!"]


def test_results_are_drawn_by_annotation():
    seen = set()

    @given(...)
    def check(result: ToolResult):
        assert type(result) is ToolResult
        seen.add((result.is_error, result.is_pending))
        seen.update(part.type for part in result.parts or ())

    check()
    ok, error, pending = (False, False), (True, False), (True, True)
    assert seen == {ok, error, pending, "text", "image", "audio", "video", "file"}


@given(...)
def test_every_type_is_drawn_by_annotation(part: ContentPart, asked: Request, answer: Answer):
    assert (type(part), type(asked), type(answer)) == (ContentPart, Request, Answer)


@given(result=st.from_type(ToolResult), answers=st.lists(st.from_type(Answer)), step=st.from_type(Step))
def test_types_stand_inside_strategies_and_classes(result, answers, step):
    assert type(result) is type(step.result) is ToolResult
    assert {type(answer) for answer in answers} <= {Answer}


def test_nobody_imported_the_strategies():
    assert not IMPORTED
    assert "toolresult.strategies" in sys.modules
'''


class Env(NamedTuple):
    """A virtual environment in which the built wheel is installed."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def package(self) -> Path:
        (found,) = self.folder.glob("**/site-packages/toolresult")
        return found

    def run(self, *arguments: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run this Python without what the running tests brought into the environment."""
        own = ("COVERAGE_", "COV_", "PYTEST_", "PYTHON", "HYPOTHESIS_", "MYPY", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
        return subprocess.run(
            [self.python, *arguments],
            cwd=cwd,
            env={**kept, **variables},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )

    def script(self, text: str, *, cwd: Path, **variables: str) -> list[str]:
        """Run a script with warnings as errors and return the lines that it prints."""
        done = self.run("-I", "-W", "error", "-c", textwrap.dedent(text), cwd=cwd, **variables)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel built from it, of a copy of the project."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in FILES | FOLDERS | {".gitignore"}:
        if (ROOT / name).is_file():
            (copy / name).write_bytes((ROOT / name).read_bytes())
        elif (ROOT / name).is_dir():
            copy_folder(ROOT / name, copy / name)
    stale = copy / "src" / "toolresult" / "__pycache__" / "stale.cpython-311.pyc"
    stale.parent.mkdir()
    stale.write_bytes(b"")
    built = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", built, copy],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (sdist,) = built.glob("*.tar.gz")
    (wheel,) = built.glob("*.whl")
    return sdist, wheel


def copy_folder(source: Path, target: Path) -> None:
    for path in wanted_files(source):
        copied = target / path
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_bytes((source / path).read_bytes())


def wanted_files(folder: Path) -> list[Path]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if not CACHES & set(path.parts))


@pytest.fixture(scope="session")
def wheel(distributions: tuple[Path, Path]) -> Path:
    return distributions[1]


def install(wheel: Path, folder: Path) -> Env:
    """Unpack a wheel, which is how one without scripts and data is installed, into a new environment."""
    venv.create(folder, symlinks=os.name != "nt")
    (site_packages,) = folder.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site_packages)
    return Env(folder)


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Env:
    """An environment with the wheel and nothing else."""
    return install(wheel, tmp_path_factory.mktemp("bare") / "env")


@pytest.fixture(scope="session")
def env(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Env:
    """An environment with the wheel, and behind it the packages with which the tests run."""
    return with_test_packages(install(wheel, tmp_path_factory.mktemp("user") / "env"))


def with_test_packages(env: Env) -> Env:
    # A folder named in a .pth file comes last, and its own .pth files, an editable install's among them, are not read.
    specs = [find_spec(name) for name in ("hypothesis", "mypy", "pytest")]
    folders = {str(Path(spec.origin).parent.parent) for spec in specs if spec is not None and spec.origin is not None}
    (env.package.parent / "test_packages.pth").write_text("\n".join(sorted(folders)), encoding="utf-8")
    return env


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "tools.py").write_text(TOOLS.lstrip(), encoding="utf-8")
    (folder / "test_tools.py").write_text(TEST_TOOLS.lstrip(), encoding="utf-8")
    return folder


def test_the_wheel_holds_the_modules_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {PurePosixPath(name) for name in archive.namelist()}
    info = f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"
    assert {name.parts[0] for name in names} == {"toolresult", info}
    assert {str(name) for name in names if name.parts[0] == "toolresult"} == {
        f"toolresult/{name}" for name in (*MODULES, "py.typed")
    }
    assert {str(name.relative_to(info)) for name in names if name.parts[0] == info} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }


def test_the_wheel_needs_only_typing_extensions_and_names_the_hook(wheel):
    info = f"{'-'.join(wheel.name.split('-')[:2])}.dist-info/"
    with zipfile.ZipFile(wheel) as archive:
        distribution = PathDistribution(zipfile.Path(archive, info))
        needed = [line for line in distribution.requires or () if "extra ==" not in line]
        hooks = [(hook.group, hook.name, hook.value) for hook in distribution.entry_points]
        metadata = distribution.metadata
    assert [line.partition(">=")[0] for line in needed] == ["typing-extensions"]
    assert hooks == [("hypothesis", "toolresult", "toolresult._hypothesis:register")]
    assert (metadata["Name"], metadata["License-Expression"]) == ("toolresult", "Apache-2.0")
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_sdist_holds_what_it_takes_to_test_it_and_no_leftovers(distributions):
    sdist, _ = distributions
    top = sdist.name.removesuffix(".tar.gz")
    with tarfile.open(sdist) as archive:
        names = {str(PurePosixPath(member.name).relative_to(top)) for member in archive if member.isfile()}
    sources = {f"{folder}/{path.as_posix()}" for folder in FOLDERS for path in wanted_files(ROOT / folder)}
    assert names - {".gitignore"} == sources | FILES | {"PKG-INFO"}


def test_the_project_runs_against_the_installed_wheel(env, tmp_path):
    (where,) = env.script("import toolresult; print(toolresult.__file__)", cwd=tmp_path)
    assert Path(where) == env.package / "__init__.py"


def test_the_tests_of_a_project_draw_values_without_an_import(env, project):
    done = env.run(
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "_hypothesis_pytestplugin",
        "-W",
        "error",
        cwd=project,
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout


def test_the_tools_of_a_project_are_type_checked(env, project):
    done = env.run("-m", "mypy", "--strict", "tools.py", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_importing_hypothesis_imports_no_strategies(env, tmp_path):
    lines = env.script(
        """
        import sys
        import hypothesis
        print(*sorted(name for name in ("toolresult", "toolresult.strategies") if name in sys.modules))
        """,
        cwd=tmp_path,
    )
    assert lines == ["toolresult"]


def test_without_plugins_hypothesis_leaves_the_library_alone_and_strategies_still_work(env, tmp_path):
    lines = env.script(
        """
        import sys
        from hypothesis import find, settings
        print("toolresult" in sys.modules)
        from toolresult.strategies import tool_results
        print(find(tool_results(), lambda result: result.is_error, settings=settings(database=None)).output == "")
        """,
        cwd=tmp_path,
        HYPOTHESIS_NO_PLUGINS="1",
    )
    assert lines == ["False", "True"]


def test_broken_strategies_do_not_break_the_import_of_hypothesis(wheel, tmp_path):
    env = with_test_packages(install(wheel, tmp_path / "env"))
    (env.package / "strategies.py").write_text("raise RuntimeError('broken')\n", encoding="utf-8")
    assert env.script("import hypothesis; print(hypothesis.__name__)", cwd=tmp_path) == ["hypothesis"]


def test_without_hypothesis_the_library_works_and_the_strategies_say_what_to_install(bare, tmp_path):
    lines = bare.script(
        """
        from toolresult import ToolResult
        print(ToolResult.ok("hello"))
        try:
            import toolresult.strategies
        except ModuleNotFoundError as error:
            print(error.name)
            print("pip install hypothesis" in str(error), "toolresult.strategies" in str(error))
        """,
        cwd=tmp_path,
    )
    assert lines == ["hello", "hypothesis", "True True"]
