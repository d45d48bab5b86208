"""What `vitviz explore`, `figure`, `notebook`, `data` and `cite` do."""
