"""What `vitviz explore`, `vitviz figure` and `vitviz notebook` do."""
