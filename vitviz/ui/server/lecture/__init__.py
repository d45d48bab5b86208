"""The lecture's connections: who may lead, what each browser is told, and who is dropped."""
