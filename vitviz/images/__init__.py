"""Pictures in: bytes to a safe RGB picture, that picture to what a model reads, and photographs to begin with."""

from vitviz.images.containers import ImageError
from vitviz.images.opening import digest, open_image
from vitviz.images.photos import PHOTOS, Sample
from vitviz.images.preprocess import DEMO, Crop, Preprocess, Sized, for_size

__all__ = ["DEMO", "PHOTOS", "Crop", "ImageError", "Preprocess", "Sample", "Sized", "digest", "for_size", "open_image"]
