"""A browser without a window, for the pages that we write."""

import json
import shutil
from contextlib import contextmanager
from functools import partial

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
    "--window-size=1280,900",
)
START_TIMES = 2
PATIENCE = 120  # seconds that a page may take to load, on a machine that is busy
OURS = ("data:", "blob:", "about:")  # what a page has in itself


@contextmanager
def opened(profile):
    """Open a browser that keeps its files in the folder `profile`, or skip; close it at the end."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    browser = started(partial(start, webdriver, program, driver), profile)
    try:
        browser.set_page_load_timeout(PATIENCE)
        browser.set_script_timeout(PATIENCE)
        yield browser
    finally:
        browser.quit()


def started(starting, profile):
    """Return the browser; skip where it does not start, for that is not our pages' fault."""
    from selenium.common.exceptions import WebDriverException

    problem = ""
    for attempt in range(START_TIMES):
        try:
            return starting(profile / str(attempt))
        except WebDriverException as error:
            problem = str(error.msg).splitlines()[0]
    return pytest.skip(f"the browser does not start: {problem}")


def start(webdriver, program, driver, profile):
    """Start the browser; Selenium gets both paths, so that it looks for neither elsewhere."""
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for switch in (*SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def show(browser, path):
    """Open the file `path`, and forget what the pages before it have logged."""
    browser.get("about:blank")
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(path.as_uri())


def console_errors(browser):
    """The messages of level error on the console since this was asked last."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def fetched(browser):
    """The addresses that the page has asked for since it was shown, without its own."""
    messages = (json.loads(entry["message"]) for entry in browser.get_log("performance"))
    asked = [
        message["message"]["params"]["request"]["url"]
        for message in messages
        if message["message"]["method"] == "Network.requestWillBeSent"
    ]
    listed = browser.execute_script(
        "return performance.getEntriesByType('resource').map(entry => entry.name)"
    )
    own_part = browser.current_url.partition("#")[0]
    return [
        url
        for url in (*asked, *listed)
        if url.partition("#")[0] != own_part and not url.startswith(OURS)
    ]
