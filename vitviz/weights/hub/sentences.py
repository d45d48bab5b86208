"""Why a published model could not be fetched: one sentence for each way, with the way out."""

import errno
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from vitviz import numbers
from vitviz.config import ViTConfig
from vitviz.config.sides import written
from vitviz.pretrained import PRETRAINED
from vitviz.weights.hub.cache import WEIGHTS

EVENING = "Run `python -m vitviz weights fetch {name}` where there is a network"
FULL = (errno.ENOSPC, errno.EDQUOT)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)  # the last two: a file
SIZES = ("patch_size", "dim", "depth", "mlp_dim", "classes")  # by which a family is known
UNAUTHORISED, FORBIDS, PROXY_ASKS, TOO_MANY = 401, 403, 407, 429


def the_hub() -> str:
    """What is asked: the Hugging Face Hub, or the mirror that `HF_ENDPOINT` names."""
    from huggingface_hub.constants import ENDPOINT

    host = urlsplit(ENDPOINT).netloc
    return "the Hugging Face Hub" if host == "huggingface.co" else f"the mirror {host}"


def no_hub(name: str) -> str:
    """Something else answers."""
    return (
        f"{the_hub()} answered with something else than a file of {_title(name)}, perhaps the page of this network's "
        "login; open that in a browser first, or mend HF_ENDPOINT"
    )


def damaged(name: str) -> str:
    """The checksum is wrong."""
    return f"{_title(name)} arrived with another checksum than {the_hub()} names, and was thrown away; fetch it again"


def too_long(name: str, total: int) -> str:
    """More comes than was announced."""
    announced = f"{numbers.bytes_(total)} of {_title(name)}"
    return f"{the_hub()} announced {announced} and sent more, so that was thrown away; try again"


def broken_off(name: str, done: int, total: int) -> str:
    """The connection ended again and again."""
    return (
        f"the connection broke off after {numbers.bytes_(done)} of {numbers.bytes_(total)} of {_title(name)}; "
        "fetched again, it goes on from there"
    )


def another(name: str, found: ViTConfig) -> str:
    """What a file of that name holds where that is not the published model; "" where it is."""
    config = PRETRAINED[name].config
    if all(getattr(found, field) == getattr(config, field) for field in SIZES):
        return ""
    return f"the file of {_title(name)} holds another model: {_sizes(found)}, where that has {_sizes(config)}"


def _proxied() -> bool:
    """Whether this server asks the hub through a proxy."""
    from huggingface_hub.constants import ENDPOINT

    url = urlsplit(ENDPOINT)
    return url.scheme in getproxies() and not proxy_bypass(url.netloc)


def _title(name: str) -> str:
    return PRETRAINED[name].title


def _sizes(config: ViTConfig) -> str:
    return (
        f"{numbers.many(config.depth, 'block')} of dim {config.dim} on patches of {written(config.patch_size)} and "
        f"{config.classes:,} classes"
    )


def why_not(name: str, error: Exception) -> str:
    """What an error of the Hub's client, of the network or of the disk means."""
    import httpx2
    from huggingface_hub import errors, get_token

    if isinstance(error, errors.LocalEntryNotFoundError) and isinstance(error.__cause__, Exception):
        return why_not(name, error.__cause__)
    model, evening = PRETRAINED[name], EVENING.format(name=name)
    there = f"{model.title} on {the_hub()}"
    status = error.response.status_code if isinstance(error, errors.HfHubHTTPError) else 0
    closed = f"the proxy of this server lets nothing of {the_hub()} through; mend HTTPS_PROXY. {evening}"
    if isinstance(error, errors.GatedRepoError):
        who = "as the owner of this server's HF_TOKEN" if get_token() else "and set HF_TOKEN"
        return f"{there} asks for an agreement first ({status}); accept it on the page of {model.repository} {who}"
    if status in (UNAUTHORISED, FORBIDS):
        reason = "does not take this server's HF_TOKEN" if get_token() else "asks who this server is, or was withdrawn"
        return f"{there} {reason} ({status}); set HF_TOKEN to a token that may read it, or choose another model"
    if status == PROXY_ASKS:
        return closed
    if status == TOO_MANY:
        return f"{the_hub()} has had too many requests from this network ({status}); try again in a few minutes"
    if isinstance(error, errors.RevisionNotFoundError):
        return f"{there} has no revision {model.revision}; it was withdrawn, so choose another model"
    if isinstance(error, errors.RepositoryNotFoundError | errors.RemoteEntryNotFoundError):
        return f"{there} was not found, or has no {WEIGHTS}; choose another model"
    if isinstance(error, errors.FileMetadataError):
        return no_hub(name)
    if status:
        return f"{the_hub()} answered {status} in place of {model.title}; try again later"
    if isinstance(error, errors.OfflineModeIsEnabled):
        return f"{model.title} is not on this machine, which HF_HUB_OFFLINE tells to stay offline. {evening}"
    if isinstance(error, httpx2.ProxyError):
        return closed
    if isinstance(error, httpx2.TransportError | errors.LocalEntryNotFoundError | ConnectionError | TimeoutError):
        way = " through the proxy of this server; mend HTTPS_PROXY" if _proxied() else ""
        return f"{model.title} is not on this machine, and {the_hub()} is out of reach{way}. {evening}"
    if isinstance(error, OSError) and error.errno in FULL:
        takes = f"{model.title} takes {model.megabytes:,} MB"
        return f"the disk is full: {takes}; make room, or set HF_HOME to another disk"
    if isinstance(error, OSError) and error.errno in FORBIDDEN:
        return "this server cannot write to its folder of models; set HF_HOME to a folder that it may write to"
    return f"{model.title} could not be downloaded ({type(error).__name__}). {evening}"
