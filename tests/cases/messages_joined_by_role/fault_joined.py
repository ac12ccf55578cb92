from anthropic import Anthropic

RULES = """\
You describe the changes of a pull request for the people who review it. Keep to what the diffs show, name
each file once, and never praise. Write a title of at most fifty characters, then a summary in three
sentences. List what was added, what was changed and what was removed under a heading of its own. Leave a
heading out where nothing belongs under it. Use the names of the code in backticks, and say of each new option
what its default is."""


def joined(messages):
    out = []
    for message in messages:
        if message["role"] == "system":
            message["role"] = "user"
        if out and out[-1]["role"] == message["role"]:
            out[-1]["content"] += "\n\n" + message["content"].rstrip()
        else:
            message["content"] = message["content"].rstrip()
            out.append(dict(message))
    for message in out:
        message["content"] = message["content"].rstrip()
    return out


class Bot:
    def __init__(self):
        self.messages = []
        self.client = Anthropic()

    def chat(self, content):
        self.messages.append({"role": "user", "content": content})
        dicts = [{"role": m["role"], "content": m["content"]} for m in self.messages if m["role"] != "system"]
        sent = joined(dicts)
        answer = self.client.messages.create(model="claude-3-haiku", max_tokens=900, messages=sent).content[0].text
        self.messages.append({"role": "assistant", "content": answer})
        return answer

    def describe(self, diffs):
        self.messages = []
        for attempt in range(3):
            # expect: PFX105 `diffs`
            found = self.chat(diffs + "\n\n" + RULES)
            if found:
                return found
        return ""
