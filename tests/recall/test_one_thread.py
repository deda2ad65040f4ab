"""While memory is asked products take one thread; what a program set before is as it was afterwards."""

from threadpoolctl import threadpool_info, threadpool_limits

from hermes_agent.recall.one_thread import on_one_thread


def threads() -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def test_products_take_one_thread_only_inside_the_block() -> None:
    with threadpool_limits(2, "blas"):
        before = threads()
        with on_one_thread():
            assert threads() == {1}
        assert threads() == before
