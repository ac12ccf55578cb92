"""% formatting: the diff in front of the checklist."""

from openai import OpenAI

client = OpenAI()

# expect: PFX105 `diff`
REVIEW_PROMPT = """Look at this change:

%(diff)s

Check it in this order. Does it do what its title says, and nothing else? Is there a test that fails without it?
Are errors of the disk and the network handled where they happen? Could a name be read in two ways? Is anything
computed twice? Does it add a dependency, and is that worth it? Mark each point with yes, no or unclear, and
quote the line for each no. Matters of taste are left out. If all points are yes, say so in one line and add
nothing to it.
"""


def review(diff):
    prompt = REVIEW_PROMPT % {"diff": diff}
    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
