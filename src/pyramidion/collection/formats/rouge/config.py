"""What ROUGE-1.5.5 is told to compare: its XML configuration, and the ``-z`` list."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.etree.ElementTree import Element

from pyramidion.collection.files import read_lines
from pyramidion.collection.formats.xml import read_xml
from pyramidion.errors import FormatError, Where

__all__ = [
    "INPUT_FORMATS",
    "InputFormat",
    "RougeConfig",
    "RougeEvaluation",
    "RougeFile",
    "read_rouge_config",
    "read_rouge_list",
]

InputFormat = Literal["SPL", "SEE", "ISI", "SIMPLE"]

#: Three forms of summaries (see `rouge_files`), and basic elements.
INPUT_FORMATS: tuple[InputFormat, ...] = ("SPL", "SEE", "ISI", "SIMPLE")

# Many scripts write an underscore, and the Perl script never looks.
_ROOTS = ("ROUGE-EVAL", "ROUGE_EVAL")


@dataclass(frozen=True, slots=True)
class RougeFile:
    """A peer or model: its id and its file, which need not exist.

    Examples
    --------
    >>> RougeFile("17", Path("peers/T1.17.spl")).id
    '17'
    """

    id: str
    path: Path

    @property
    def exists(self) -> bool:
        """Whether the file is there."""
        try:
            return self.path.is_file()
        except OSError:  # a name longer than the system allows
            return False


@dataclass(frozen=True, slots=True)
class RougeEvaluation:
    """Peers that are compared with the same models (an EVAL).

    Parameters
    ----------
    id
        The EVAL's id.
    peers, models
        In the order of the file; an id that stands there twice is here twice.
    input_format
        The format of all these files.

    Examples
    --------
    >>> RougeEvaluation("T1", (), (RougeFile("A", Path("A.spl")),), "SPL").models[0].id
    'A'
    """

    id: str
    peers: tuple[RougeFile, ...]
    models: tuple[RougeFile, ...]
    input_format: InputFormat = "SPL"


@dataclass(frozen=True, slots=True)
class RougeConfig:
    """All evaluations of one run of ROUGE, in the order of the file.

    Examples
    --------
    >>> RougeConfig(Path("rouge.xml"), (RougeEvaluation("T1", (), ()),)).evaluations[0].id
    'T1'
    """

    path: Path
    evaluations: tuple[RougeEvaluation, ...]


def read_rouge_config(path: str | Path, *, own_folder_first: bool = False) -> RougeConfig:
    """Read a ROUGE-1.5.5 configuration.

    Parameters
    ----------
    path
        The XML file.
    own_folder_first
        A file named by a relative root is looked for in the working directory, as the Perl
        script does, then in the folder of the configuration; with this option the other
        way round. A file that is in neither gets the first of the two paths.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "rouge.xml"
    ...     _ = file.write_text('''<ROUGE-EVAL version="1.0"><EVAL ID="T1">
    ...         <PEER-ROOT>peers</PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT>
    ...         <INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="17">T1.17.spl</P></PEERS>
    ...         <MODELS><M ID="A">T1.A.spl</M></MODELS></EVAL></ROUGE-EVAL>''')
    ...     evaluation, = read_rouge_config(file).evaluations
    >>> evaluation.peers[0].path.as_posix()
    'peers/T1.17.spl'
    """
    root = read_xml(path)
    if root.tag not in _ROOTS:
        raise FormatError(
            f"the root element is <{root.tag}>, not <{_ROOTS[0]}>",
            where=Where(path),
            hint="name a configuration of ROUGE-1.5.5",
        )
    config = Path(path)
    folders = (config.parent, Path()) if own_folder_first else (Path(), config.parent)
    evaluations = tuple(
        _Eval(element, number, config, folders).read()
        for number, element in enumerate(root.iterfind("EVAL"), start=1)
    )
    if not evaluations:
        raise FormatError("there is no EVAL", where=Where(path), hint="add one for each topic")
    return RougeConfig(config, evaluations)


@dataclass(frozen=True, slots=True)
class _Eval:
    """An EVAL element, and what one must know to read it."""

    element: Element
    number: int
    config: Path
    folders: tuple[Path, Path]

    def read(self) -> RougeEvaluation:
        return RougeEvaluation(
            id=self._id(self.element),
            peers=self._files("PEERS", "P", "PEER-ROOT"),
            models=self._files("MODELS", "M", "MODEL-ROOT"),
            input_format=self._input_format(),
        )

    def _error(self, what: str, hint: str) -> FormatError:
        name = self.element.get("ID") or f"no. {self.number}"
        return FormatError(what, where=Where(self.config, element=f"EVAL {name}"), hint=hint)

    def _id(self, element: Element) -> str:
        id = element.get("ID")
        if not id:
            raise self._error(f"<{element.tag}> has no ID", "give each EVAL, P and M an ID")
        return id

    def _child(self, tag: str) -> Element:
        child = self.element.find(tag)
        if child is None:
            raise self._error(f"<{tag}> is missing", "add it")
        return child

    def _input_format(self) -> InputFormat:
        name = self._child("INPUT-FORMAT").get("TYPE", "").strip()
        if name not in INPUT_FORMATS:
            raise self._error(
                f"the TYPE of INPUT-FORMAT is {name!r}", f"write one of {', '.join(INPUT_FORMATS)}"
            )
        return name

    def _files(self, group: str, tag: str, root_tag: str) -> tuple[RougeFile, ...]:
        root = (self._child(root_tag).text or "").strip()
        self._child(group)
        return tuple(
            _found(self._id(entry), root, self._name(entry), self.folders)
            for entry in self.element.iterfind(f"{group}/{tag}")
        )

    def _name(self, entry: Element) -> str:
        name = (entry.text or "").strip()
        if not name:
            raise self._error(f"<{entry.tag}> {entry.get('ID')} names no file", "name one")
        return name


def _found(id: str, root: str, name: str, folders: tuple[Path, Path]) -> RougeFile:
    candidates = [RougeFile(id, folder / root / name) for folder in folders]
    return next((file for file in candidates if file.exists), candidates[0])


def read_rouge_list(
    path: str | Path, input_format: InputFormat = "SPL", *, peer: str = "X"
) -> RougeConfig:
    """Read a list for ROUGE-1.5.5's ``-z``: on each line a peer's file, then its models'.

    Parameters
    ----------
    path
        The list. Its files are looked for as those of a configuration are.
    input_format
        The format of all these files.
    peer
        The id of the peer; evaluations and models are numbered from 1.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "list.txt"
    ...     _ = file.write_text("17.spl A.spl B.spl")
    ...     evaluation, = read_rouge_list(file).evaluations
    >>> evaluation.peers[0].id, [model.id for model in evaluation.models]
    ('X', ['1', '2'])
    """
    folders = (Path(), Path(path).parent)
    rows = [names for _, line in read_lines(path) if (names := line.split())]
    if not rows:
        raise FormatError(
            "the list is empty", where=Where(path), hint="write a peer and its models on each line"
        )
    evaluations = []
    for number, names in enumerate(rows, start=1):
        ids = [peer, *map(str, range(1, len(names)))]
        first, *models = (_found(i, "", name, folders) for i, name in zip(ids, names, strict=True))
        evaluations.append(RougeEvaluation(str(number), (first,), tuple(models), input_format))
    return RougeConfig(Path(path), tuple(evaluations))
