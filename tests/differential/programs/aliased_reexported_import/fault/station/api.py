from .core.voice import build as announce

__all__ = ["announce"]
