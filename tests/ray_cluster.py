"""Ray for tests: two nodes on this machine, which reach nothing else, and one application for their engines."""

import gc
import os
import secrets
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine_calls import share_calls

ROOT = Path(__file__).parents[1]
NAME = "vitviz-cpu"
CLIENTS = 20_091  # the port for those who come over ray://
NODE = {"num_cpus": 2, "object_store_memory": 80_000_000}
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "GRPC_ENABLE_FORK_SUPPORT": "0",  # with it the head's processes for clients may die at birth (grpcio 1.85)
    "PYTHONPATH": str(ROOT),
}
Deploy = Callable[..., None]
FIGURES: list[str] = []  # for the table at the end


def say(what: str, figure: str) -> None:
    """Tell a figure, which stands in a table when all tests have run."""
    FIGURES.append(f"{what} {'.' * (70 - len(what))} {figure}")


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[Any]:
    """Two nodes of a Ray of our own, to which this process is connected; both see the calls of `tests.engine_calls`."""
    os.environ |= SETTINGS | {"RAY_AUTH_TOKEN": secrets.token_hex()}
    share_calls(secrets.token_hex())
    import ray
    from ray import serve
    from ray.cluster_utils import Cluster

    head = {**NODE, "include_dashboard": False, "ray_client_server_port": CLIENTS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # Ray leaves the logs of its processes open
        cluster = Cluster(initialize_head=True, head_node_args=head)
        cluster.add_node(**NODE)
        gc.collect()
    ray.init(cluster.address, log_to_driver=False)
    serve.start(proxy_location="Disabled")
    yield cluster
    serve.shutdown()
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="session")
def deploy(ray_cluster: Any) -> Deploy:
    """Begin anew with these settings of the engine, in one replica or in as many, each on a node of its own."""
    from ray import serve

    from vitviz.engine.ray.app import build

    running = 0

    def deploy(settings: dict[str, Any], replicas: int = 1) -> None:
        nonlocal running
        if replicas != running:
            one = {"num_replicas": replicas, "max_replicas_per_node": 1, "ray_actor_options": {"num_cpus": 1}}
            serve.run(build({"device": "cpu", "options": one}), name=NAME, route_prefix=None)
            running = replicas
        serve.get_app_handle(NAME).broadcast("reconfigure", {"engine": settings}).results()

    return deploy
