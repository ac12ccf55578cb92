"""``a | b``."""


class Runnable:
    def __or__(self, other):
        return Chain(self, other)


class Chain(Runnable):
    def __init__(self, first, second):
        self._first, self._second = first, second

    def invoke(self, value):
        return self._second.invoke(self._first.invoke(value))

    async def ainvoke(self, value):
        return self.invoke(value)
