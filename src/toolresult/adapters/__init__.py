"""Results in the shapes of model providers, and back.

`to_x` writes the results of one assistant turn as the dicts that a host appends after it; `from_x` reads results in
such dicts. No part is left out in silence: see `Loss`. No SDK is imported, and an adapter is loaded when it is first
named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolresult.adapters._capabilities import Capability as Capability
from toolresult.adapters._capabilities import capabilities as capabilities
from toolresult.adapters._limits import Kind as Kind
from toolresult.adapters._limits import Limits as Limits
from toolresult.adapters._turn import CallResult as CallResult
from toolresult.adapters._turn import Loss as Loss

if TYPE_CHECKING:
    from toolresult.adapters._mcp_tool import mcp_tool as mcp_tool
    from toolresult.adapters.anthropic import from_anthropic as from_anthropic
    from toolresult.adapters.anthropic import to_anthropic as to_anthropic
    from toolresult.adapters.bedrock import from_bedrock as from_bedrock
    from toolresult.adapters.bedrock import to_bedrock as to_bedrock
    from toolresult.adapters.cohere import from_cohere as from_cohere
    from toolresult.adapters.cohere import to_cohere as to_cohere
    from toolresult.adapters.gemini import from_gemini as from_gemini
    from toolresult.adapters.gemini import to_gemini as to_gemini
    from toolresult.adapters.gemini_interactions import from_gemini_interactions as from_gemini_interactions
    from toolresult.adapters.gemini_interactions import to_gemini_interactions as to_gemini_interactions
    from toolresult.adapters.mcp import InputRequired as InputRequired
    from toolresult.adapters.mcp import answer_from_mcp as answer_from_mcp
    from toolresult.adapters.mcp import from_mcp as from_mcp
    from toolresult.adapters.mcp import from_mcp_input_required as from_mcp_input_required
    from toolresult.adapters.mcp import mcp_meta as mcp_meta
    from toolresult.adapters.mcp import to_mcp as to_mcp
    from toolresult.adapters.mcp import to_mcp_elicitation as to_mcp_elicitation
    from toolresult.adapters.mcp import to_mcp_input_required as to_mcp_input_required
    from toolresult.adapters.mcp import with_mcp_meta as with_mcp_meta
    from toolresult.adapters.mistral import from_mistral as from_mistral
    from toolresult.adapters.mistral import to_mistral as to_mistral
    from toolresult.adapters.ollama import from_ollama as from_ollama
    from toolresult.adapters.ollama import to_ollama as to_ollama
    from toolresult.adapters.openai_chat import from_openai_chat as from_openai_chat
    from toolresult.adapters.openai_chat import to_openai_chat as to_openai_chat
    from toolresult.adapters.openai_responses import from_openai_responses as from_openai_responses
    from toolresult.adapters.openai_responses import to_openai_responses as to_openai_responses
else:

    def __getattr__(name):  # noqa: ANN001, ANN202
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        is_mcp = name == "InputRequired" or "mcp" in name.split("_")
        module = "_mcp_tool" if name == "mcp_tool" else "mcp" if is_mcp else name.partition("_")[2]
        found = getattr(import_module(f"{__name__}.{module}"), name)
        globals()[name] = found
        return found


__all__ = [
    "CallResult",
    "Capability",
    "InputRequired",
    "Kind",
    "Limits",
    "Loss",
    "answer_from_mcp",
    "capabilities",
    "from_anthropic",
    "from_bedrock",
    "from_cohere",
    "from_gemini",
    "from_gemini_interactions",
    "from_mcp",
    "from_mcp_input_required",
    "from_mistral",
    "from_ollama",
    "from_openai_chat",
    "from_openai_responses",
    "mcp_meta",
    "mcp_tool",
    "to_anthropic",
    "to_bedrock",
    "to_cohere",
    "to_gemini",
    "to_gemini_interactions",
    "to_mcp",
    "to_mcp_elicitation",
    "to_mcp_input_required",
    "to_mistral",
    "to_ollama",
    "to_openai_chat",
    "to_openai_responses",
    "with_mcp_meta",
]
