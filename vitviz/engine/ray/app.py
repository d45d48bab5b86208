"""What runs on Ray Serve: one application with one deployment for each kind of device.

applications:
  - name: vitviz-cuda
    import_path: vitviz.engine.ray.app:build
    args: {device: cuda}
"""

from typing import Any

from ray import serve
from ray.serve.config import RequestRouterConfig
from ray.serve.schema import LoggingConfig

from vitviz.engine.ray.replica import Replica
from vitviz.engine.ray.router import Holder

MOST_ASKED = 100  # calls that a replica has at once, before the next in line gets some


def build(args: dict[str, Any]) -> serve.Application:
    """The application for `args["device"]` ("cuda", "mps" or "cpu"), whose deployment is called so, too.

    `options` are those of the deployment, in the words of Serve: replicas, resources, `user_config`.
    """
    device = args["device"]
    options: dict[str, Any] = {
        "max_ongoing_requests": MOST_ASKED,
        "ray_actor_options": {"num_cpus": 1, "num_gpus": 1 if device == "cuda" else 0},
        "health_check_period_s": 5,
        "health_check_timeout_s": 30,
        "graceful_shutdown_timeout_s": 10,
        **args.get("options", {}),
    }
    deployment = serve.deployment(
        Replica,
        name=device,
        request_router_config=RequestRouterConfig(request_router_class=Holder),
        logging_config=LoggingConfig(enable_access_log=False),
        **options,
    )
    return deployment.bind(device)
