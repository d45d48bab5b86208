"""Numbers -> charts as values: what is drawn, what each mark says, and what a hand may move. No library draws here."""
