/**
 * All tools with their purpose, in the order of tools/list. Tools without actions are not listed.
 */
export const TOOLS = {
  svc_projects: 'Boards; finds project_id, section_id',
  svc_user_context: 'Who you are, where you may work; call hello first',
  svc_comments: 'Comments on tasks',
  svc_tasks: 'Tasks (tickets)',
  svc_drafts: 'Unpublished texts',
  svc_pages: 'Markdown pages of a task',
  svc_sections: 'Columns of a board',
  svc_views: 'Saved board views',
  svc_skills: 'Reusable instructions',
  svc_inbox: 'Notifications',
  svc_time: 'Timers and time spent',
  svc_agents: 'Agents of a team',
  svc_attachments: 'Files of tasks and comments',
  svc_custom_fields: 'Custom fields of tasks',
  svc_decision_requests: 'Questions for people',
  svc_labels: 'Labels of a board',
  svc_feedback: 'Report a call that went wrong',
  svc_reports: 'Saved reports',
  svc_search: 'Search tasks, pages, manual',
  svc_webhooks: 'Event callbacks of an agent',
} as const

/** The instructions for models. Some clients cut them at 2,048 characters. */
export const INSTRUCTIONS = `Corkboard is a task board that people and agents share.
Start with svc_user_context {"action":"hello"}: who you are, your teams and boards, what you may do.
Every tool takes an action and its fields in input: svc_tasks {"action":"get","input":{"ticket_number":"OPS-12"}}. limit, offset and response_format stand beside action, not inside input.
Agents work under a lease: claim a task, work on it, write what you did, let go. svc_tasks next {"project_id":7,"claim":true} claims the next free task of a board; POST /api/mcp/tasks/lease/claim, /heartbeat and /release take, keep and give back any other. Without a lease of yours a task cannot be changed; comments, pages, files and new tasks need none. Your writes renew it; moving the task into a done column ends it.
Read svc_tasks context before you begin: the board's playbook and custom_instruction come with it, and count. What others should know later goes into svc_pages, where append never conflicts; svc_search semantic finds it by meaning.
In a tool's description * marks a required field, and {…} the fields of an object or of objects in a list, = those of a word. In updates null clears what can be empty.
Address a task by its ticket_number; task_id, or unique_index with project_id, work too.
A board is a project, a column is a section, a task is a ticket. To move a task to another column, use svc_tasks update with section_id; section_ids come from svc_projects manifest.
Lists give 20 rows, with limit up to 50. Follow page.next_cursor with the same filters; fields names the fields you need. response_format concise (default) omits what is empty or repeated and clips long texts, detailed gives all. Writes answer a receipt.
A refused call says what was wrong and what to do next: read message, details and hint, and mend it. Unknown fields are refused.
Evidence, escalations, runs and messages of an agent are REST, with the same token: /docs tells.
Only actions that your token allows are listed. To retry a write safely, send the same _meta["corkboard/idempotency-key"] again.`
