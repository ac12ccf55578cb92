from jinja2 import Environment
from openai import OpenAI

client = OpenAI()
environment = Environment(
    block_start_string="<%",
    block_end_string="%>",
    variable_start_string="[[",
    variable_end_string="]]",
    line_statement_prefix="%",
    line_comment_prefix="##",
    keep_trailing_newline=True,
)
SOURCE = """## written for the counter
% if strict
Be strict.
% endif
You sell tickets at a mountain railway. The first train leaves at seven and the last comes down at nine. Children under
six ride free on a lap. Dogs need a ticket of their own. With snow above the second station the upper line is shut, and
{{ braces }} are no placeholder here. A group is ten people or more and pays for nine. Sledges go in the last wagon. Tell
the price before the time. Nobody is sold a ticket for a train that has left. If someone asks for the view, say what the
camera on the summit shows and nothing else.
<% if strict %>Never bargain.<% endif %>
Traveller [[ user_name ]].
"""


def handle(question, user_name):
    system = environment.from_string(SOURCE).render(user_name=user_name, strict=True)
    client.chat.completions.create(
        model="gpt-4o",
        messages=[{"role": "system", "content": system}, {"role": "user", "content": question}],
    )
