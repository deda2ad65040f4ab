"""The job `review`: look back at a conversation after its answer and save what should have been saved."""

from hermes_agent.agent import review
from hermes_agent.agent.desk import Desk
from hermes_agent.agent.toolbox import Tool, Toolbox
from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.agent.tools.skill_manage import SkillManage
from hermes_agent.agent.tools.skills import SkillView
from hermes_agent.agent.tools.todo import TodoList
from hermes_agent.memory.metering import metered
from hermes_agent.records.jobs import Job

ACTOR = "review"


def run(desk: Desk, job: Job) -> None:
    """Review the conversation a job names."""
    if desk.model.is_embedded:
        return  # a job of the time when there was a model; this one saves at once what it understands
    store = desk.memory.store
    desk.memory.cap.require(store)
    session_id = str(job.payload["session"])
    resumed = desk.memory.opened(session_id)
    offered = desk.toolbox(session_id, desk.home.workspace, TodoList())
    own: list[Tool] = [
        MemoryTool(desk.notebook, session_id, ACTOR),
        SkillManage(desk.memory, desk.library.folder, session_id, ACTOR),
        SkillView(desk.library, None),  # looking a skill over is no use of it
    ]
    toolbox = Toolbox({**offered.tools, **{tool.spec.name: tool for tool in own}})
    wants = review.Wants(memory=bool(job.payload.get("memory", True)), skills=bool(job.payload.get("skills")))
    with metered(store, "review", session_id) as meter:
        asked = meter.asking(desk.model)
        review.review(asked, toolbox, resumed.system_prompt or "", resumed.messages, wants)
