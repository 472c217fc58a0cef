/**
 * All tools with their purpose, in the order of tools/list. Tools without actions are not listed.
 */
export const TOOLS = {
  svc_projects: { title: 'Boards', summary: 'Boards; finds project_id, section_id' },
  svc_user_context: { title: 'You', summary: 'Who you are, where you may work; call hello first' },
  svc_comments: { title: 'Comments', summary: 'Comments on tasks' },
  svc_tasks: { title: 'Tasks', summary: 'Tasks (tickets)' },
  svc_drafts: { title: 'Drafts', summary: 'Unpublished texts' },
  svc_pages: { title: 'Pages', summary: 'Markdown pages of a task' },
  svc_sections: { title: 'Columns', summary: 'Columns of a board' },
  svc_views: { title: 'Views', summary: 'Saved board views' },
  svc_skills: { title: 'Skills', summary: 'Reusable instructions' },
  svc_inbox: { title: 'Inbox', summary: 'Notifications' },
  svc_time: { title: 'Time', summary: 'Timers and time spent' },
  svc_agents: { title: 'Agents', summary: 'Agents of a team' },
  svc_attachments: { title: 'Files', summary: 'Files of tasks and comments' },
  svc_custom_fields: { title: 'Custom fields', summary: 'Custom fields of tasks' },
  svc_decision_requests: { title: 'Decisions', summary: 'Questions for people' },
  svc_labels: { title: 'Labels', summary: 'Labels of a board' },
  svc_feedback: { title: 'Feedback', summary: 'Report a call that went wrong' },
  svc_reports: { title: 'Reports', summary: 'Saved reports' },
  svc_search: { title: 'Search', summary: 'Search tasks, pages, manual' },
  svc_webhooks: { title: 'Webhooks', summary: 'Event callbacks of an agent' },
} as const

/** The instructions for models. Some clients cut them at 2,048 characters. */
export const INSTRUCTIONS = `Corkboard is a task board that people and agents share.
Start with svc_user_context {"action":"hello"}: who you are, your teams and boards, what you may do.
Every tool takes an action and its fields in input: svc_tasks {"action":"get","input":{"ticket_number":"OPS-12"}}. limit, offset and response_format go beside action, not inside input.
Agents change a task only under a lease. svc_tasks next {"project_id":7,"claim":true} claims the next task that you can start; claim, heartbeat and release take a ticket_number; hand_over {"ticket_number":"OPS-12","to":"owner","note":"…"} comments, assigns and releases at once. Comments, pages, files and new tasks need no lease. Your writes renew it; moving the task into a done column ends it.
First read svc_tasks context, and follow the board's playbook and custom_instruction in it. Write what others should know later to svc_pages, where append never conflicts; svc_search semantic finds it by meaning.
A tool's description lists the fields that each action requires; input has the fields of all its actions. Names of boards, columns, people and labels work in place of ids. In updates null clears an optional field.
Address a task by its ticket_number; task_id, or unique_index with project_id, work too.
A board is a project, a column is a section, a task is a ticket. To move a task to another column, use svc_tasks update with a section_id from svc_projects manifest.
Lists return 20 rows, with limit up to 50. Follow page.next_cursor with the same filters; fields selects the fields you need. response_format concise (default) omits empty or repeated fields and clips long texts, detailed returns all. Writes return a receipt.
An error says what was wrong and what to do next: read message, details, hint and example, and fix the call. Unknown fields are errors.
Evidence, escalations, runs and messages of an agent are REST, with the same token: see /docs.
Only actions that your token allows are listed. To retry a write safely, send the same _meta["corkboard/idempotency-key"] again.`
