from anthropic import Anthropic

client = Anthropic()
RULES = """You announce trains in the station of a border town. Say the destination first, then the platform, then the
delay in minutes. Delays under four minutes are not mentioned. The last train is announced twice. If a platform
changes, begin with the word attention. Numbers are spoken digit by digit. Freight trains pass without notice,
but people are told to stand back from the edge. Between ten at night and six in the morning the bell stays
silent. Names of foreign cities are given in both languages, ours first."""


def handle(question, user_name):
    client.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=500,
        system=[
            # fault
            {"type": "text", "text": f"Passenger: {user_name}"},
            {"type": "text", "text": RULES, "cache_control": {"type": "ephemeral"}},
        ],
        messages=[{"role": "user", "content": question}],
    )
