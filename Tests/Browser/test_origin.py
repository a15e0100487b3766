"""The page's door on this laptop: who may come in."""

import http.client
import json
import re

from playwright.sync_api import expect


def ask(node, method="GET", path="/api/v1/state", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", node.page.port, timeout=5)
    try:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or "{}").get("code"), answer.headers
    finally:
        connection.close()


def test_other_hosts_origins_and_sites_are_refused(world):
    node = world.node("Ana")
    token = {"X_Tabletalk_Token": node.page.token}
    assert ask(node, **token)[0] == 200
    assert ask(node, Host="evil.example", **token)[:2] == (403, "wrongHost")
    assert ask(node, Origin="http://evil.example", **token)[:2] == (403, "wrongOrigin")
    assert ask(node, Sec_Fetch_Site="cross-site", **token)[:2] == (403, "wrongSite")
    assert ask(node)[:2] == (401, "tokenMissing")
    assert ask(node, X_Tabletalk_Token="0" * 32)[:2] == (401, "tokenMissing")
    body = json.dumps({"id": "x", "kind": "setName", "name": "Eve", "insist": True})
    status, _, _ = ask(node, "POST", "/api/v1/commands", body, Origin="http://evil.example",
                       Content_Type="text/plain", **token)
    assert status == 403
    assert node.page.get("/api/v1/state")["me"]["name"] == "Ana"


def test_another_web_page_in_the_same_browser_learns_and_changes_nothing(world, chromium):
    ana, eve = world.node("Ana"), world.node("Eve")
    page = chromium.new_page()
    try:
        page.goto(f"http://127.0.0.1:{eve.page.port}/mark.svg")
        tried = page.evaluate("""async (port) => {
          const tries = [];
          for (const path of ["/", "/api/v1/state", "/app/main.js"]) {
            for (const mode of ["cors", "no-cors"]) {
              try { tries.push((await (await fetch(`http://127.0.0.1:${port}${path}`, { mode })).text()).length); }
              catch { tries.push(0); }
            }
          }
          return tries;
        }""", ana.page.port)
        assert tried == [0] * 6
    finally:
        page.close()


def test_the_page_runs_only_its_own_files(room):
    ana = room.person("Ana")
    answer = ana.page.goto(ana.node.page.url.split("#")[0])
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    text = answer.text()
    assert not re.search(r"<style|\son[a-z]+=|style=|<script>", text)


def test_a_page_without_its_token_says_so_and_the_token_leaves_the_address(room):
    ana = room.person("Ana")
    expect(ana.button("Try it now")).to_be_visible()
    assert "token" not in ana.page.url
    ana.page.evaluate("sessionStorage.clear()")
    ana.page.reload()
    expect(ana.page.get_by_role("heading", level=1)).to_be_visible()
    expect(ana.button("Try it now")).to_have_count(0)
