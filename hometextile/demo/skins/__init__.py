"""Five looks of Chinese sites of different ages; each module has ``page`` and ``CHROME``, the texts of its frame."""
