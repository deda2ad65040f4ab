"""`/health`: whether the server answers; for whoever watches it, without a token and without a word of memory."""

from fastapi import APIRouter

from hermes_agent import __version__

router = APIRouter(tags=["health"])


@router.get("/health")
def health() -> dict[str, str]:
    """Tell that the server answers."""
    return {"status": "ok", "version": __version__}
