from station.prompts.voice import VOICE
