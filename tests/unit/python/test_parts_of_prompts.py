"""Texts that functions give back, and that others put together to a prompt."""

from __future__ import annotations

from prefixlint.frontends.python import analyse
from prefixlint.model.lifetimes import Lifetime
from prefixlint.model.segments import Value, walk
from prefixlint.model.sources import SourceFile

PARTS = '''\
class PromptWriter:
    """Makes the text for one question out of parts."""

    def rules(self, fields):
        shown = ", ".join(f'"{field}"' for field in fields)
        return (
            "### Form of the answer\\nYour task is to answer in the form below. You must follow these rules. Do not "
            f"add a field. Respond only with a valid JSON object with these fields: {shown}. Write no more.\\n"
        )

    def inputs(self, question):
        return f"### Question\\n{question}"

'''


def test_the_function_that_puts_the_parts_together_is_run_though_each_reads_like_a_prompt() -> None:
    program = (
        "    def format(self, question):\n        prompt_parts = [self.inputs(question), self.rules(self.fields)]\n"
        '        return "\\n".join(prompt_parts)\n'
    )
    found = analyse([SourceFile("app.py", PARTS + program)], lambda path: None)["app.py"]
    (template,) = [template for template in found.templates if template.name == "PromptWriter.format"]
    (block,) = template.blocks
    question = next(segment for segment in walk(block.segments) if isinstance(segment, Value))
    assert (question.expression, question.lifetime) == ("question", Lifetime.REQUEST)


def test_a_part_that_nobody_puts_anywhere_stands_for_itself() -> None:
    found = analyse([SourceFile("app.py", PARTS)], lambda path: None)["app.py"]
    assert [template.name for template in found.templates] == ["PromptWriter.rules"]
