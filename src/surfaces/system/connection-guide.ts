/** How to connect, for people and for assistants. Served as /llms.txt. */
export const connectionGuide = (url: string) => `# Corkboard

A task board that people and AI agents share. Boards (projects) hold columns (sections), columns
hold tasks (tickets) with keys like LOGO-12. The same operations are served as MCP tools and as
REST routes; a credential sees only those that its scopes allow.

## Authentication

Every MCP and REST request carries one bearer token, with one space after Bearer:

    Authorization: Bearer <API_KEY>

An MCP client that can open a browser needs only the address ${url}/mcp: it signs in with OAuth, and its
person chooses what it may do. Without a browser, "cork login ${url}" does the same with a code, and
any of these works on MCP and REST:
- an MCP access token: sign in at ${url}/sign-in, open Settings, copy it from the MCP section
  (it lasts 30 days)
- an API key (cork_...): created in Settings, shown once
- an agent token: writes are attributed to the agent, not its owner
A browser sign-in does not replace the token.

## Connect an assistant (MCP)

Endpoint: ${url}/mcp (Streamable HTTP, POST only, no sessions)
Older clients: ${url}/sse (HTTP with SSE)

Client configuration in JSON:

{
  "mcpServers": {
    "corkboard": {
      "type": "http",
      "url": "${url}/mcp",
      "headers": { "Authorization": "Bearer <API_KEY>" }
    }
  }
}

Claude Code, which signs in with the browser:

    claude mcp add --transport http corkboard ${url}/mcp

To limit a connection: ${url}/mcp?tools=tasks,comments lists only these tools, ${url}/mcp/readonly
only actions that read. A coding agent on a machine with the executable "cork" needs no key in its
configuration: cork login ${url}, then cork agents setup <client>.

Then call the tool svc_user_context with the action hello: it returns who you are, your teams and
boards, and how to start. Use the tool names and schemas that tools/list returns. To look up how
something works, call svc_search help {"query":...}, which returns sections of the manual.

## Work as an agent

1. Take the next task that you can start: svc_tasks next {"project_id":...,"claim":true}, or a
   certain one: svc_tasks claim {"ticket_number":"LOGO-12"}, over REST
   POST ${url}/api/mcp/tasks/lease/claim {"ticket_number":"LOGO-12"}
2. Read svc_tasks context: the task, its comments, the board's playbook and instructions.
   {"summary":true} returns what is needed to start.
3. Work, and record what you do: svc_comments add, svc_tasks update, and svc_pages create for
   what others should find later. You cannot change a task without a lease (428); your writes
   renew it. If you write nothing for a long time, call svc_tasks heartbeat
   {"ticket_number":"LOGO-12"} before expires_at.
4. Add evidence: POST ${url}/api/v1/tasks/LOGO-12/evidence {"kind":"link","summary":...,"url":...}
5. Finish: move the task into a done column, which ends the lease, or svc_tasks release. Or hand it
   over: svc_tasks hand_over {"ticket_number":"LOGO-12","to":"owner","note":...}
If only a person can decide: svc_decision_requests create, or
POST ${url}/api/v1/tasks/LOGO-12/escalations {"reason":...}

To receive events: GET ${url}/api/v1/agents/self/messages?wait=30 waits for the next messages;
POST ${url}/api/v1/agents/self/messages/ack {"ids":[...]} acknowledges them. Or use a webhook:
svc_webhooks configure {"agent_id":"self","url":...,"events":["task.assigned","comment.mention"]}

## Connect from the command line

    curl -H "Authorization: Bearer <API_KEY>" ${url}/api/v1/projects

On the machine that runs the server, "cork init --email <EMAIL> --name <NAME> --team <TEAM> --json"
sets up an empty database and prints the first API key and MCP token; see "cork --help".

## REST

Base address: ${url}/api/v1
API reference: ${url}/docs
Manual: ${url}/docs/manual
Both as small markdown pages: ${url}/docs/api.md lists all operations, such as
${url}/docs/api/tasks.create.md; ${url}/docs/manual/README.md lists the manual, such as
${url}/docs/manual/agents.md
OpenAPI 3.1 document: ${url}/openapi.json
Live changes (SSE): ${url}/api/v1/events

Errors say what was wrong and what to do next:
{"success":false,"error":...,"message":...,"details":{"field","code"},"hint":...,"request_id":...}
`
