"""Forms as a real browser sends them, with the script that keeps them from being sent twice."""

from tests.browser.conftest import Visiting

FORM = """() => {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/chat/none/approval";
  form.innerHTML = '<button name="is_allowed" value="true">Allow</button><button name="is_allowed">Other</button>';
  document.querySelector("main").append(form);
}"""


def test_a_button_that_says_something_says_it_though_it_is_disabled_then(visiting: Visiting) -> None:
    visit = visiting()
    visit.open("/facts")
    visit.page.evaluate(FORM)
    with visit.page.expect_request("**/approval") as sent:
        visit.page.get_by_role("button", name="Allow").click()
    assert sent.value.post_data == "is_allowed=true"
