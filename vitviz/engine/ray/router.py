"""Which replica a request goes to. Ray Serve runs this on the side of whoever asks."""

from ray.serve.request_router import PendingRequest, RequestRouter, RunningReplica

from vitviz.engine.ray.place import parts_of, preference


class Holder(RequestRouter):
    """The replica that holds a request's picture; the next in line where that one has as much to do as it may.

    Who has loaded the model comes first, so that a rare one is loaded by few, and a busy one by as many as it needs.
    """

    async def choose_replicas(
        self, candidate_replicas: list[RunningReplica], pending_request: PendingRequest | None = None
    ) -> list[list[RunningReplica]]:
        """All replicas, each a rank of its own, the one that should take the request first."""
        if not pending_request:
            return [candidate_replicas]
        pending_request.routing_context.should_backoff = True  # wait, where none of them has room
        model, picture = parts_of(pending_request.metadata.multiplexed_model_id)

        def wish(replica: RunningReplica) -> tuple[bool, bytes]:
            return model in replica.multiplexed_model_ids, preference(picture, replica.replica_id.unique_id)

        return [[replica] for replica in sorted(candidate_replicas, key=wish, reverse=True)]
