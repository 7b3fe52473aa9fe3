"""The add-on that switches everything on, in this project and in others.

In another Scrapy project: ``ADDONS = {"hometextile.addon.Addon": 100}``. Every setting is set at add-on priority, so
that the project's own settings, a site file and ``-s NAME=VALUE`` win over it.

Settings of ours, with their defaults:

=========================  ==============================  =========================================================
``RULES_FOLDER``           none                            where the site files lie; see :mod:`hometextile.sites`
``LIBRARY_URL``            ``sqlite:///library.db``        the library; ``HOMETEXTILE_LIBRARY_URL`` wins over it
``CONTACT``                "no contact given"              goes into the user agent
``IMPORTANCE_MODEL``       ``importance``                  block importance model: a shipped one's name, or a path
``PROGRESS``               none                            true: progress bar, false: plain lines; none: by terminal
``FRONTIER_LEASE``         120                             seconds after which a worker that says nothing is given up
``FRONTIER_REVISIT_DAYS``  7                               days after which a page of its own is fetched again
=========================  ==============================  =========================================================
"""

from __future__ import annotations

import os
from typing import Any

from scrapy.settings import BaseSettings, Settings, get_settings_priority

from hometextile import __version__

# Scrapy's cookie middleware and others ask tldextract, which would fetch a list from the web at every start: past
# robots, delay and guard, and in vain on a machine without the web. Its own snapshot is used, unless the user says so.
os.environ.setdefault("TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS", "")

# A page has some dozens of blocks: threads of the number libraries only wait for each other (measured: 11 ms a page
# with one, up to 2 s with two on a busy machine). Set before numpy and scikit-learn are first imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

#: Component setting to class path to order (Scrapy's own orders: docs, "Activating a component").
COMPONENTS: dict[str, dict[str, int | None]] = {
    "DOWNLOADER_MIDDLEWARES": {
        "hometextile.downloadermiddlewares.guard.GuardMiddleware": 50,
        "hometextile.downloadermiddlewares.answers_here.AnswersHereMiddleware": 60,
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "hometextile.downloadermiddlewares.robots.RobotsMiddleware": 100,
        "hometextile.downloadermiddlewares.session.SessionMiddleware": 450,
        "hometextile.downloadermiddlewares.fetched_once.FetchedOnceMiddleware": 890,
        "hometextile.downloadermiddlewares.unchanged.UnchangedMiddleware": 915,
        # Between downloader and HTTP cache, so that the cache keeps the page decompressed, decoded and drawn.
        "hometextile.downloadermiddlewares.render.RenderMiddleware": 920,
        "hometextile.downloadermiddlewares.encoding.EncodingMiddleware": 930,
        "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 940,
    },
    "SPIDER_MIDDLEWARES": {
        "hometextile.spidermiddlewares.frontier.FrontierMiddleware": 10,
        "hometextile.spidermiddlewares.form_request.FormRequestMiddleware": 950,
        "hometextile.spidermiddlewares.link_priority.LinkPriorityMiddleware": 940,
    },
    "ITEM_PIPELINES": {
        "hometextile.pipelines.segment.SegmentPipeline": 100,
        "hometextile.pipelines.filter_noise.FilterNoisePipeline": 200,
        "hometextile.pipelines.extract.ExtractPipeline": 300,
        "hometextile.pipelines.judge_topic.JudgeTopicPipeline": 400,
        "hometextile.pipelines.dedup.DedupPipeline": 500,
        # Before the page is stored, so that it is not done before its images are there; off unless a site says so.
        "hometextile.pipelines.images.ResourceImagesPipeline": 550,
        "hometextile.pipelines.files.ResourceFilesPipeline": 560,
        "hometextile.pipelines.store.StorePipeline": 600,
        "hometextile.pipelines.integrate.IntegratePipeline": 700,
    },
    "EXTENSIONS": {
        "hometextile.extensions.opening.Opening": 0,
        "hometextile.extensions.log_lines.LogLines": 10,
        "hometextile.extensions.report.Report": 500,
        "hometextile.extensions.progress.Progress": 510,
        # After all others, so that their counters are in it.
        "hometextile.extensions.stats_file.StatsFile": 900,
    },
}

PLAIN: dict[str, Any] = {
    "LIBRARY_URL": "sqlite:///library.db",
    "CONTACT": "no contact given",
    "IMPORTANCE_MODEL": "importance",
    "PROGRESS": None,
    "SCHEDULER": "hometextile.scheduler.FrontierScheduler",
    "FRONTIER_LEASE": 120.0,
    "FRONTIER_REVISIT_DAYS": 7.0,
    "ROBOTSTXT_OBEY": True,
    "DOWNLOAD_DELAY": 1.0,
    "DOWNLOAD_DELAY_JITTER": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "CONCURRENT_REQUESTS": 16,
    "DOWNLOAD_TIMEOUT": 60,
    "DOWNLOAD_MAXSIZE": 20 * 1024 * 1024,
    "DOWNLOAD_WARNSIZE": 0,
    "DEPTH_LIMIT": 20,
    "DEPTH_STATS_VERBOSE": False,
    "RETRY_TIMES": 3,
    "COOKIES_ENABLED": True,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "IMAGES_STORE": "files",
    "FILES_STORE": "files",
    "IMAGES_THUMBS": {"small": (320, 320)},
    "MEDIA_ALLOW_REDIRECTS": True,
    "FEED_EXPORT_ENCODING": "utf-8",
    "LOG_LEVEL": "INFO",
    "STATS_DUMP": False,
    "LOG_FORMATTER": "hometextile.log_formatter.LogFormatter",
    "REQUEST_FINGERPRINTER_CLASS": "hometextile.fingerprinter.CanonicalFingerprinter",
    "TWISTED_DNS_RESOLVER": "hometextile.downloadermiddlewares.guard.GuardedResolver",
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
}

FEED_EXPORTERS = {
    "json": "hometextile.exporters.ResourceJsonExporter",
    "jsonlines": "hometextile.exporters.ResourceJsonLinesExporter",
    "jsonl": "hometextile.exporters.ResourceJsonLinesExporter",
    "jl": "hometextile.exporters.ResourceJsonLinesExporter",
    "csv": "hometextile.exporters.ResourceCsvExporter",
    "xml": "hometextile.exporters.ResourceXmlExporter",
}


def library_url(settings: BaseSettings) -> str:
    """The library's address: command line, else ``HOMETEXTILE_LIBRARY_URL``, else settings, else ``library.db``."""
    if settings.getpriority("LIBRARY_URL") != get_settings_priority("cmdline"):
        address = os.environ.get("HOMETEXTILE_LIBRARY_URL")
        if address:
            return address
    return str(settings.get("LIBRARY_URL") or PLAIN["LIBRARY_URL"])


class Addon:
    """Sets components and defaults."""

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Make each site file a spider, and have names resolved under guard.

        The resolver is the process's, made from its settings before there is a crawler; later would be too late.
        """
        settings.set("SPIDER_LOADER_CLASS", "hometextile.spiders.loader.SiteLoader", "addon")
        settings.set("TWISTED_DNS_RESOLVER", PLAIN["TWISTED_DNS_RESOLVER"], "addon")

    def update_settings(self, settings: Settings) -> None:
        """Set what was not set by the project, the site file or the command line."""
        for name, value in PLAIN.items():
            settings.set(name, value, "addon")
        settings.set(
            "USER_AGENT",
            f"hometextile/{__version__} (topical library; contact: {settings['CONTACT']})",
            "addon",
        )
        for setting, components in COMPONENTS.items():
            for path, order in components.items():
                if path not in settings[setting]:
                    settings[setting].set(path, order, "addon")
        for scheme in ("file", "data", "ftp", "s3"):
            settings["DOWNLOAD_HANDLERS"].set(scheme, None, "addon")
        for name, path in FEED_EXPORTERS.items():
            settings["FEED_EXPORTERS"].set(name, path, "addon")
