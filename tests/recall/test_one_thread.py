"""While memory is asked products take one thread; what a program set before is as it was afterwards."""

import threading

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


def test_those_who_ask_at_once_share_the_block() -> None:
    with threadpool_limits(2, "blas"):
        before = threads()
        first, second = on_one_thread(), on_one_thread()
        first.__enter__()
        waiting = threading.Thread(target=second.__enter__)
        waiting.start()
        waiting.join()
        first.__exit__(None, None, None)
        assert threads() == {1}
        second.__exit__(None, None, None)
        assert threads() == before
