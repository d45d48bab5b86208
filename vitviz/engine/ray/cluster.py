"""The way to Ray: a cluster on this machine, started where there is none, or one that runs elsewhere."""

import logging
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from vitviz.machine.device import DeviceError

if TYPE_CHECKING:
    from ray.serve.handle import DeploymentHandle

APPLICATION = "vitviz-"  # what the names of our applications begin with; the kind of device follows
FASTEST_FIRST = ("cuda", "mps", "cpu")
CLIENT_PORT = 10001
REACHABLE = 5.0  # seconds until a machine that does not answer counts as gone
TOKEN = Path.home() / ".ray" / "auth_token"
NEVER = "1000000000"  # seconds, until Ray ends this process because the head of the cluster is gone
STORE = 256_000_000  # bytes of the local object store; results pass through it, and stay in replicas


class Cluster:
    """Ray at `address` ("ray://host:port"); where that is empty, that of this machine.

    This machine's is the one that `RAY_ADDRESS` names, or a new one that ends with this process.
    """

    def __init__(self, address: str = "") -> None:
        self.address = address
        self.handles: dict[str, DeploymentHandle[Any]] = {}  # by kind of device, the fastest first
        self._ours = self._token = False

    def connect(self) -> None:
        """Find the deployments. Raises `DeviceError` with the way out where there are none."""
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # Ray tells its makers nothing
        os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"  # and is reached where it is told to, or not at all
        os.environ.setdefault("RAY_gcs_rpc_server_reconnect_timeout_s", NEVER)
        self._token = bool(self.address) and _use_token()
        try:
            import ray
            import ray.serve
        except ImportError as error:
            raise DeviceError(
                f"the engine should run on Ray, which is not installed here ({error}); "
                'run `pip install ".[ray]"` in the repository'
            ) from error
        logging.getLogger("ray.serve").setLevel(logging.ERROR)
        try:
            if not ray.is_initialized():
                (self._join if self.address else self._start)()
                self._ours = True
            self._find()
            if not self.handles and not self.address:
                self._deploy()
        except DeviceError:
            raise
        except Exception as error:
            raise DeviceError(f"the engine on Ray does not start: {error}") from error
        if not self.handles:
            raise DeviceError(
                f"the Ray cluster at {self.address} runs no vitviz; start it there with "
                "serve deploy deploy/ray/serve.yaml"
            )

    def leave(self) -> None:
        """Let go of the cluster, and end it where it was started here."""
        self.handles = {}
        if self._ours:
            import ray
            from ray.serve.context import _set_global_client

            self._ours = False
            with suppress(Exception):  # of a cluster that is gone
                ray.shutdown()
            _set_global_client(None)  # or Serve would take the next cluster for this one

    def handle(self, device: str) -> "DeploymentHandle[Any]":
        """The deployment on devices of that kind, or the fastest where there is none."""
        return self.handles.get(device) or next(iter(self.handles.values()))

    def _join(self) -> None:
        import ray

        _require_somebody(self.address)
        try:
            ray.init(self.address, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            way = (
                "its token is another than the one that is set here, or this is no port for clients of Ray"
                if self._token
                else "it wants a token: put the one that `ray get-auth-token` prints there into RAY_AUTH_TOKEN here"
            )
            raise DeviceError(f"the Ray cluster at {self.address} lets nobody in: {error}; {way}") from error

    def _start(self) -> None:
        import ray

        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if address := os.environ.get("RAY_ADDRESS"):
            _require_somebody(address)
            ray.init(address, **quiet)
        else:
            ray.init("local", _node_ip_address="127.0.0.1", include_dashboard=False, object_store_memory=STORE, **quiet)

    def _find(self) -> None:
        from ray import serve

        names = serve.status().applications
        for device in FASTEST_FIRST:
            if APPLICATION + device in names:
                self.handles[device] = serve.get_app_handle(APPLICATION + device)

    def _deploy(self) -> None:
        """Run the model on each GPU of this machine, or on all of its cores."""
        import ray
        from ray import serve

        from vitviz.engine.ray.app import build

        resources = ray.cluster_resources()
        gpus, cpus = int(resources.get("GPU", 0)), int(resources["CPU"])
        device = "cuda" if gpus else "cpu"
        here = {"env_vars": {"PYTHONPATH": os.pathsep.join(folder or os.getcwd() for folder in sys.path)}}
        options = {
            "num_replicas": gpus or 1,
            "ray_actor_options": {"num_cpus": 1 if gpus else cpus, "num_gpus": 1 if gpus else 0, "runtime_env": here},
        }
        serve.start(proxy_location="Disabled")
        serve.run(build({"device": device, "options": options}), name=APPLICATION + device, route_prefix=None)
        self._find()


def _use_token() -> bool:
    """Send the token to the cluster where there is one: Ray's client does so only if it is told before its import."""
    has_token = any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")) or TOKEN.exists()
    if has_token:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    return has_token


def _require_somebody(address: str) -> None:
    """Raise `DeviceError` at once where nobody listens; Ray would try for a minute, and end this process then."""
    at = urlsplit(address if "://" in address else f"//{address}")
    try:
        socket.create_connection((at.hostname or "", at.port or CLIENT_PORT), REACHABLE).close()
    except OSError as error:
        raise DeviceError(f"no Ray cluster answers at {address}: {error}; start it, or say where it is") from error
