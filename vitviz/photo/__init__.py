"""The model that ships for photographs, DINOv2-S/14 in 8 bits, and how its file was made: `make photo-model`."""
