"""What the programs are filled with, and what a site lacks."""

from bench.pages import programs
from bench.pages.truth import read_sites


def test_posts_are_dated_and_the_newest_of_their_section_come_last():
    found = programs.posts()
    assert {post.section for post in found} == {"news", "culture", "craft"}
    assert all(post.published and post.paragraphs for post in found)
    dates = [post.published for post in found if post.section == "culture"]
    assert dates == sorted(dates) and len(dates) == 8


def test_what_a_blog_lacks_is_named(monkeypatch):
    monkeypatch.setattr(programs.shutil, "which", lambda name: None)
    assert programs.lacking("jekyll") == "jekyll jekyll-theme-minima"
    assert programs.lacking("pelican") == "pelican"
    monkeypatch.setattr(programs.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert programs.lacking("jekyll") == programs.lacking("pelican") == ""


def test_every_site_has_a_program_that_is_known_or_a_package_with_a_folder():
    for site in read_sites():
        assert site.program in programs.PROGRAMS if site.program else site.package and site.root.startswith("/usr/")
