"""Prompt templates of langchain_core: f-string syntax, messages from pairs, placeholders for histories."""

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable

_CLASSES = {
    "system": SystemMessage,
    "human": HumanMessage,
    "user": HumanMessage,
    "ai": AIMessage,
    "assistant": AIMessage,
}


class PromptTemplate(Runnable):
    def __init__(self, *, template, input_variables=(), partial_variables=None):
        self.template = template
        self._partial = dict(partial_variables or {})

    @classmethod
    def from_template(cls, template, *, partial_variables=None):
        return cls(template=template, partial_variables=partial_variables)

    def partial(self, **values):
        return type(self)(template=self.template, partial_variables={**self._partial, **values})

    def format(self, **values):
        ready = {name: value() if callable(value) else value for name, value in self._partial.items()}
        return self.template.format(**ready, **values)

    def invoke(self, values):
        return self.format(**values)


class _MessageTemplate:
    def __init__(self, kind, template):
        self._kind, self._template = kind, template

    def messages(self, values):
        return [self._kind(self._template.format(**values))]


class SystemMessagePromptTemplate:
    @classmethod
    def from_template(cls, template):
        return _MessageTemplate(SystemMessage, template)


class HumanMessagePromptTemplate:
    @classmethod
    def from_template(cls, template):
        return _MessageTemplate(HumanMessage, template)


class MessagesPlaceholder:
    def __init__(self, variable_name):
        self._name = variable_name

    def messages(self, values):
        return [_message(item) for item in values[self._name]]


def _message(item):
    if isinstance(item, BaseMessage):
        return item
    if isinstance(item, dict):
        return _CLASSES[item["role"]](item["content"])
    return _CLASSES[item[0]](item[1])


class ChatPromptTemplate(Runnable):
    def __init__(self, messages, partial=None):
        self._parts, self._partial = messages, dict(partial or {})

    @classmethod
    def from_messages(cls, messages):
        return cls(messages)

    @classmethod
    def from_template(cls, template):
        return cls([("human", template)])

    def partial(self, **values):
        return ChatPromptTemplate(self._parts, {**self._partial, **values})

    def format_messages(self, **values):
        ready = {**{name: value() if callable(value) else value for name, value in self._partial.items()}, **values}
        out = []
        for item in self._parts:
            if isinstance(item, BaseMessage):
                out.append(item)
            elif isinstance(item, tuple) and item[0] == "placeholder":
                out.extend(MessagesPlaceholder(item[1].strip("{}")).messages(ready))
            elif isinstance(item, tuple):
                out.append(_CLASSES[item[0]](item[1].format(**ready)))
            else:
                out.extend(item.messages(ready))
        return out

    def invoke(self, values):
        return self.format_messages(**values)
