"""Site rules, selecting, induction, templates."""
