"""Orders, and what only begins like one."""

import pytest

from hermes_agent.learn.ordered import is_told

TOLD = """
Coach Lena says intervals on Tuesdays
Plan changed
Plan changed again
Book club meets on Thursday
Review went well
Train was late
Train leaves at eight
Work starts at nine
Run felt great today
Coach Tom wants me to rest
Coach says no
Design team meets on Monday
Plan has changed
Report is due
Test passed
Build failed on main
Build broke again
Deploy went fine
Meeting moved to Tuesday
Order arrived today
Coach Lena plans the race
Cook came late
Guide Marta told us to wait
Check bounced
Review took two hours
Plan B worked
Run club runs the marathon
Report came back from Ben
"""
ORDERED = """
Review this PR focusing on security
Fix broken links
Write automated tests
Review GitHub issues
Check Jira tickets
Check whether the server is up
Summarize what was said
Review the PR that Ben opened
Review updated docs
Write tests for the parser
Deploy changes
Plan meals for the week
Book flights to Rome
Translate this menu
Pay invoices
Review notes and tests the owner wrote
Review code changes on Tuesdays
Deploy the website, always using the host
Train models on the data
Summarize emails Ben sent
Run tests
Run the tests before the deploy
Plan a trip that was cancelled
Draft a speech
Review Ben's changes
Sort photos taken in May
Fix failing tests
Update dependencies
Compare three password managers
Write unit tests that are fast
List users who signed up
Report bugs found today
Check what changed
Draft letters, was told so
Format code written by Ben
Clean up logs
Book a table
Explain how a heat pump works
Deploy Atlas
Deploy Atlas to production
Test Atlas releases
Write Ada an email
Email Ben the report
Call Ben
Merge branches
"""


@pytest.mark.parametrize("text", TOLD.strip().splitlines())
def test_a_verb_behind_the_first_words_makes_a_statement(text: str) -> None:
    assert is_told(text)


@pytest.mark.parametrize("text", ORDERED.strip().splitlines())
def test_what_is_to_be_done_is_no_statement(text: str) -> None:
    assert not is_told(text)
