"""The packages of deploy/: locked with hashes, all that the app asks for, and nothing that differs but PyTorch."""

import re
from importlib.metadata import Distribution, distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.deployment import DEPLOY, ROOT

LOCKS = ("requirements.lock", "requirements-gpu.lock")


def locked(name: str) -> dict[str, tuple[str, int]]:
    """Version and number of hashes of every package of a lock."""
    text = (DEPLOY / name).read_text()
    entries = re.split(r"(?m)^(?=[a-z0-9])", re.sub(r"(?m)^\s*#.*\n", "", text))
    pins = [(entry.split()[0].split("=="), entry.count("--hash=sha256:")) for entry in entries if entry.strip()]
    return {package: (version, hashes) for (package, version), hashes in pins}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_all_that_the_app_asks_for_each_with_hashes_and_no_address(name: str) -> None:
    packages = locked(name)
    wanted = [
        Requirement(line)
        for line in (ROOT / "requirements.txt").read_text().splitlines()
        if line and line[0] not in "#-"
    ]
    for requirement in wanted:
        version, _ = packages[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement}: make lock"
    assert min(hashes for _, hashes in packages.values()) >= 1
    assert not re.search(r"://|--(index|extra|find|trusted)", (DEPLOY / name).read_text())


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_whole(name: str) -> None:
    linux = {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64", "extra": ""}
    server = linux | {"python_version": "3.11", "python_full_version": "3.11.9", "implementation_name": "cpython"}
    packages, lacking = locked(name), []
    here: dict[str, Distribution] = {canonicalize_name(it.name): it for it in distributions()}
    same = [it for it in packages if it in here and here[it].version == packages[it][0]]
    assert len(same) > 20
    for package in set(same) - {"torch"}:  # what PyTorch asks for differs between its builds
        for requirement in map(Requirement, here[package].requires or ()):
            if requirement.marker and not requirement.marker.evaluate(server):
                continue
            version, _ = packages.get(canonicalize_name(requirement.name), ("", 0))
            if not version or not requirement.specifier.contains(version):
                lacking.append(f"{package} asks for {requirement}, and the lock has {version or 'none'}")
    assert lacking == []


def test_the_servers_with_and_without_a_gpu_differ_by_pytorch_alone() -> None:
    cpu, gpu = (locked(name) for name in LOCKS)
    assert cpu.pop("torch")[0] == gpu.pop("torch")[0] + "+cpu"
    assert cpu.items() <= gpu.items()
    assert all(re.match("cuda-|nvidia-|triton", name) for name in gpu.keys() - cpu.keys())
