"""The parsed document, XHTML cleaning, embedded data, layout read from a page, text of PDF and Office files."""
