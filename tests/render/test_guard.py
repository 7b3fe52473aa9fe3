"""Addresses as browsers, resolvers and attackers spell them."""

import asyncio

import pytest

from hometextile.render.guard import AddressGuard, judge_address, read_target

NAMES = {
    "public.example": ["93.184.216.34"],
    "inside.example": ["10.1.2.3"],
    "both.example": ["93.184.216.34", "127.0.0.1"],
    "six.example": ["::1"],
    "mapped.example": ["::ffff:192.168.1.1"],
}


def guard(*allow, **more):
    return AddressGuard(allow, resolver=lambda host: NAMES.get(host, []), **more)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://public.example/", None),
        ("https://public.example:8443/a?b=c", None),
        ("wss://public.example/socket", None),
        ("http://93.184.216.34/", None),
        ("http://[2606:2800:220:1:248:1893:25c8:1946]/", None),
        ("http://nowhere.example/", None),
        ("ftp://public.example/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("data:text/html,x", "scheme"),
        ("gopher://127.0.0.1/", "scheme"),
        ("//public.example/", "scheme"),
        ("", "scheme"),
        ("http://", "bad-url"),
        ("http:///path", "bad-url"),
        ("http://public.example:99999/", "bad-url"),
        ("http://localhost/", "loopback"),
        ("http://LOCALHOST./", "loopback"),
        ("http://a.b.localhost/", "loopback"),
        ("http://127.0.0.1/", "loopback"),
        ("http://127.255.255.254/", "loopback"),
        ("http://127.1/", "loopback"),
        ("http://2130706433/", "loopback"),
        ("http://0x7f000001/", "loopback"),
        ("http://0x7f.0.0.0x1/", "loopback"),
        ("http://0177.0.0.1/", "loopback"),
        ("http://017700000001/", "loopback"),
        ("http://0/", "loopback"),
        ("http://0.0.0.0/", "loopback"),
        ("http://１２７.０.０.１/", "loopback"),
        ("http://127。0。0。1/", "loopback"),
        ("http://127%2e0%2e0%2e1/", "loopback"),
        ("http://①②⑦.⓪.⓪.①/", "loopback"),
        ("http://127.0.0.1./", "loopback"),
        (" \thttp://127.0.0.1/", "loopback"),
        ("http://12\n7.0.0.1/", "loopback"),
        ("http://[::1]/", "loopback"),
        ("http://[::]/", "loopback"),
        ("http://[::ffff:127.0.0.1]/", "loopback"),
        ("http://[::ffff:7f00:1]/", "loopback"),
        ("http://[::127.0.0.1]/", "loopback"),
        ("http://[64:ff9b::7f00:1]/", "loopback"),
        ("http://[2002:7f00:1::]/", "loopback"),
        ("http://[fe80::1%25eth0]/", "link-local"),
        ("http://[fd00::1]/", "private"),
        ("http://[fec0::1]/", "private"),
        ("http://[ff02::1]/", "reserved"),
        ("http://10.0.0.1/", "private"),
        ("http://172.16.5.5/", "private"),
        ("http://192.168.0.1/", "private"),
        ("http://100.64.0.1/", "private"),
        ("http://198.18.0.1/", "private"),
        ("http://169.254.169.254/latest/meta-data/", "link-local"),
        ("http://224.0.0.1/", "reserved"),
        ("http://255.255.255.255/", "reserved"),
        ("http://256.1.1.1/", "bad-url"),
        ("http://1.2.3.4.5/", "bad-url"),
        ("http://0x7f000001ffff/", "bad-url"),
        ("http://user:secret@127.0.0.1/", "loopback"),
        ("http://public.example@127.0.0.1/", "loopback"),
        ("http://127.0.0.1@public.example/", None),
        ("http://public.example#@127.0.0.1/", None),
        ("http://public.example\\@127.0.0.1/", "bad-url"),
        ("http:\\\\127.0.0.1/", "bad-url"),
        ("http://127.0.0.1\\public.example/", "bad-url"),
        ("http://[::1/", "bad-url"),
        ("http://inside.example/", "private"),
        ("http://both.example/", "loopback"),
        ("http://six.example/", "loopback"),
        ("http://mapped.example/", "private"),
    ],
)
def test_reasons(url, reason):
    assert guard().check(url) == reason
    assert asyncio.run(guard().check_async(url)) == reason


def test_allowed_host_opens_itself_only():
    one = guard("127.0.0.1")
    assert one.check("http://127.0.0.1:9/") is None
    assert one.check("http://2130706433/") is None
    assert one.check("http://127.0.0.2/") == "loopback"
    assert one.check("http://localhost/") == "loopback"
    assert one.check("file://127.0.0.1/etc/passwd") == "scheme"


def test_allowed_port_opens_that_port_only():
    one = guard("127.0.0.1:8000", "[::1]:8000", "inside.example")
    assert one.check("http://127.0.0.1:8000/") is None
    assert one.check("http://127.0.0.1/") == "loopback"
    assert one.check("http://127.0.0.1:8001/") == "loopback"
    assert one.check("http://[::1]:8000/") is None
    assert one.check("http://[::1]/") == "loopback"
    assert one.check("https://inside.example:1234/") is None


def test_allowed_network_covers_resolved_names():
    one = guard("10.0.0.0/8", "::1")
    assert one.check("http://inside.example/") is None
    assert one.check("http://10.200.0.1/") is None
    assert one.check("http://[::1]/") is None
    assert one.check("http://192.168.0.1/") == "private"


def test_bad_entries_are_told():
    for entry in ("", "a b", "10.0.0.0/99", "host:port"):
        with pytest.raises(ValueError):
            guard(entry)


def test_allow_private_still_judges_the_scheme():
    assert guard(allow_private=True).check("http://127.0.0.1/") is None
    assert guard(allow_private=True).check("ftp://127.0.0.1/") == "scheme"


def test_a_second_dns_answer_changes_nothing_within_the_minute():
    now = [0.0]
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    one = AddressGuard(resolver=lambda host: answers.pop(0), keep=60, clock=lambda: now[0])
    assert one.check("http://rebind.example/") is None
    now[0] = 59.0
    assert one.addresses("rebind.example") == ["93.184.216.34"]
    now[0] = 61.0
    assert one.check("http://rebind.example/") == "loopback"


def test_judge_address():
    assert judge_address("8.8.8.8") is None
    assert judge_address("64:ff9b::808:808") is None
    assert judge_address("fe80::1%eth0") == "link-local"
    assert judge_address("nonsense") == "bad-url"


def test_target():
    target = read_target("HTTPS://User@Example.COM:444/x")
    assert target is not None
    assert (target.scheme, target.host, target.port) == ("https", "example.com", 444)
