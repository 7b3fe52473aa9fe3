"""Scrapy settings of the project. Everything of ours is switched on by one add-on, which other projects can use too."""

from __future__ import annotations

BOT_NAME = "hometextile"
SPIDER_MODULES: list[str] = []
SPIDER_LOADER_CLASS = "hometextile.spiders.loader.SiteLoader"
COMMANDS_MODULE = "hometextile.commands"
ADDONS = {"hometextile.addon.Addon": 100}

# Put your institute and an address here, so that a site's owner can reach you.
CONTACT = "no contact given"

# Read before add-ons are.
LOG_LEVEL = "INFO"
TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
