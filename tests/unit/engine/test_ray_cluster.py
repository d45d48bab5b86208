"""The way to Ray: what a server of pages says where there is none, and what it needs to get in."""

import os
import subprocess
import sys
from typing import Any

import pytest

from tests.engine_calls import until
from tests.ray_cluster import CLIENTS, ROOT
from vitviz.engine import Request
from vitviz.engine.process.client import STARTING
from vitviz.engine.ray import RayEngine
from vitviz.machine.device import DeviceError

ASKS = f"""
import os, sys
from tests.unit.engine.test_process import where
from vitviz.engine import Request
from vitviz.engine.ray import RayEngine
engine = RayEngine("ray://127.0.0.1:{CLIENTS}")
try:
    print(engine.submit(Request(where, (1,))).result(100).value != os.getpid(), "torch" in sys.modules, flush=True)
except Exception as error:
    print(type(error).__name__, error, flush=True)
os._exit(0)
"""


def where(key: int) -> int:
    return os.getpid()


def test_without_ray_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    engine = RayEngine()
    until(engine.trouble)
    way = r'not installed here .*; run `pip install "\.\[ray\]"` in the repository; it is tried again in'
    with pytest.raises(DeviceError, match=way):
        engine.submit(Request(where, (1,)))
    assert engine.device() is STARTING
    assert engine.place(Request(where, (1,))).starting
    assert engine.status().members == ()
    engine.close()


@pytest.mark.ray
def test_a_cluster_that_nobody_answers_for_is_told_and_looked_for_again(
    deploy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    deploy({}, replicas=2)
    with monkeypatch.context() as patched:
        patched.setattr(ray, "is_initialized", lambda: False)
        engine = RayEngine("ray://127.0.0.1:1")
        with pytest.raises(DeviceError, match=r"no Ray cluster answers at ray://127\.0\.0\.1:1: .* tried again"):
            engine.submit(Request(where, (1,))).result(60)
        assert "no Ray cluster answers" in engine.trouble()
    monkeypatch.setattr(engine, "_again", 0.0)
    assert engine.submit(Request(where, (1,))).result(60).value != os.getpid()
    assert engine.trouble() == ""
    engine.close()


@pytest.mark.ray
def test_who_has_the_token_gets_in_without_pytorch_and_who_has_none_is_told_so(deploy: Any, tmp_path: Any) -> None:
    deploy({}, replicas=2)
    here = {key: value for key, value in os.environ.items() if not key.startswith("RAY_AUTH")}
    here |= {"HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    known = here | {"RAY_AUTH_TOKEN": os.environ["RAY_AUTH_TOKEN"]}
    told, not_told = (
        subprocess.Popen([sys.executable, "-c", ASKS], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for env in (known, here)
    )
    assert told.communicate(timeout=150)[0] == "True False\n"
    refused = not_told.communicate(timeout=150)[0]
    assert "lets nobody in" in refused
    assert "it wants a token: put the one that `ray get-auth-token` prints there into RAY_AUTH_TOKEN here" in refused


@pytest.mark.ray
@pytest.mark.parametrize("file", ["serve.yaml", "kuberay.yaml"])
def test_what_deploy_holds_is_what_serve_takes(file: str, ray_cluster: Any) -> None:
    import yaml
    from ray._common.utils import import_attr
    from ray.serve.schema import ServeDeploySchema

    from vitviz.engine.ray.app import MOST_ASKED

    told = yaml.safe_load((ROOT / "deploy" / "ray" / file).read_text())
    schema = ServeDeploySchema.model_validate(yaml.safe_load(told["spec"]["serveConfigV2"]) if "spec" in told else told)
    for application in schema.applications:
        kind = application.args["device"]
        assert application.name == f"vitviz-{kind}"
        made = import_attr(application.import_path)(application.args)
        assert [deployment.name for deployment in application.deployments] == [made._bound_deployment.name] == [kind]
        assert application.deployments[0].max_ongoing_requests == MOST_ASKED
