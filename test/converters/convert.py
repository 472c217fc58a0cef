"""Converts a list of MCP tools as the SDKs of Google and OpenAI do, and prints the results."""

import json
import sys

from agents.mcp.util import MCPUtil
from google.genai._mcp_utils import mcp_to_gemini_tools
from mcp.types import Tool


class Server:
    """What the OpenAI SDK asks of a server while it converts tools."""

    name = "corkboard"
    tool_input_guardrails = None
    tool_output_guardrails = None
    custom_data_extractor = None

    def _get_failure_error_function(self, default):
        return default

    def _get_needs_approval_for_tool(self, tool, agent):
        return False


def openai(tool, strict):
    converted = MCPUtil.to_function_tool(tool, Server(), strict)
    return {
        "name": converted.name,
        "description": converted.description,
        "strict": converted.strict_json_schema,
        "schema": converted.params_json_schema,
    }


def main():
    tools = [Tool.model_validate(tool) for tool in json.load(sys.stdin)]
    gemini = [
        declaration.model_dump(mode="json", exclude_none=True)
        for tool in mcp_to_gemini_tools(tools)
        for declaration in tool.function_declarations
    ]
    print(
        json.dumps(
            {
                "gemini": gemini,
                "openai": [openai(tool, False) for tool in tools],
                "openai_strict": [openai(tool, True) for tool in tools],
            }
        )
    )


main()
