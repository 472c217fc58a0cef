import type { FieldSchema } from './field-schema.ts'

/**
 * Fields that the list of tools leaves out, because something else does the same. The value names
 * it. Calls accept them. A name counts for every tool, `tool.field` for one, and `field.inner` for
 * the objects in a list.
 */
export const REPLACED: Record<string, string> = {
  limit: 'limit beside action',
  offset: 'offset beside action',
  search: 'query',
  sort_by: 'sort',
  sort_order: 'sort',
  filter: 'the filters beside it, and operators in query',
  unique_index: 'ticket_number',
  source_unique_index: 'source_ticket_number',
  source_task_id: 'source_ticket_number',
  source_project_id: 'source_ticket_number',
  target_unique_index: 'target_ticket_number',
  target_task_id: 'target_ticket_number',
  id: 'page_id',
  board_id: 'project_id',
  match: 'match in board_filters',
  sorting_mode: 'sorting_stack',
  sorting_order: 'sorting_stack',
  'svc_comments.project_id': 'ticket_number',
  'svc_comments.attachments': 'svc_attachments attach',
  'svc_drafts.project_id': 'ticket_number',
  'svc_attachments.project_id': 'ticket_number',
  'svc_tasks.user_id': 'user_ids',
  'svc_tasks.task_ids': 'ticket_numbers',
  'svc_tasks.created_by': 'by: in query',
  'svc_tasks.due_date_after': 'due: in query',
  'svc_tasks.due_date_before': 'due: in query',
  'svc_tasks.has_due_date': 'has:due in query',
  'svc_tasks.has_attachments': 'has:attachment in query',
  'svc_tasks.has_comments': 'has:comment in query',
  'svc_tasks.attachments': 'svc_attachments attach',
  'svc_custom_fields.field_id': 'field_name',
  'svc_views.set_as_default': 'svc_views set_default',
  'svc_views.label_names': 'rules with the field label in board_filters',
  'svc_views.assignee_ids': 'rules with the field assignee in board_filters',
  'svc_search.same_board': 'tickets begin with the key of their board',
  'svc_search.section': 'section: in query',
  'svc_search.status': 'is:archived in query',
  'svc_search.priority': 'priority: in query',
  'svc_search.assigned_to': 'assignee: in query',
  'svc_search.has_due_date': 'has:due in query',
  'tasks.section_index': 'section_title',
  'tasks.estimate': 'svc_tasks update',
  'tasks.start_date': 'svc_tasks update',
  'tasks.parent_task_id': 'parent, or svc_tasks create',
}

/** Fields with a default that suits a model, and fields whose value is never stored. */
export const RARELY_SENT: readonly string[] = [
  'format',
  'timezone_offset_minutes',
  'svc_comments.content_type',
  'svc_tasks.content_type',
  'svc_tasks.mentions',
  'tasks.content_type',
  'svc_views.visible_section_ids',
  'svc_views.subtask_setting',
  'svc_time.label_id',
  'svc_time.running',
  'svc_projects.model_selected',
  'svc_projects.source_summary',
  'svc_projects.access',
  'svc_projects.skill_id',
  'svc_sections.color',
  'svc_user_context.locale',
  'svc_user_context.avatar',
  'sections.is_done',
  'sections.hidden',
  'svc_feedback.error',
  'svc_feedback.note',
]

/** Tools whose results are shorter in the concise form. */
export const LONG_TEXTS = ['svc_projects', 'svc_comments', 'svc_tasks', 'svc_pages', 'svc_skills']

/** Fields that only these tools show. The others accept them, but have short lists and texts. */
export const SHOWN_IN: Record<string, readonly string[]> = {
  task_id: ['svc_tasks'],
  lease_id: ['svc_tasks'],
  fields: ['svc_tasks'],
  sort: ['svc_tasks', 'svc_search'],
  query: [...LONG_TEXTS, 'svc_search'],
}

/** Whether a field only repeats another one, in every tool. */
export const isReplaced = (field: string): boolean => Object.hasOwn(REPLACED, field)

export const isShown = (tool: string, field: string): boolean =>
  [field, `${tool}.${field}`].every(
    (name) => !Object.hasOwn(REPLACED, name) && !RARELY_SENT.includes(name),
  ) &&
  (SHOWN_IN[field]?.includes(tool) ?? true)

const text: FieldSchema = { type: 'string' }
/** Gemini knows no other format of texts. */
const moment: FieldSchema = { type: 'string', format: 'date-time' }
const texts: FieldSchema = { type: 'array', items: text }

/**
 * Fields whose type for a model is not the one that follows from the operation. Names are accepted
 * where the operation takes ids of columns and people.
 */
export const SHOWN_AS: Record<string, FieldSchema> = {
  sort: text,
  fields: text,
  mentions: texts,
  section_id: text,
  target_section_id: text,
  after_section_id: text,
  move_after_section_id: text,
  move_tasks_to_section_id: text,
  parent_task_id: text,
  'tasks.section_id': text,
  assignee_ids: texts,
  user_ids: texts,
  user_id: text,
  created_since: moment,
  updated_since: moment,
  'svc_projects.labels': texts,
  'svc_projects.when': text,
  'svc_projects.conditions': text,
  'svc_projects.actions': text,
  'svc_inbox.kind': texts,
  'tasks.priority': text,
  'sorting_stack.order': text,
  'board_filters.groups.rules.value': text,
}

/** Descriptions of fields, where the name is not enough. */
export const HINTS: Record<string, string> = {
  due_date: 'YYYY-MM-DD or ISO 8601',
  relation_type: 'BlockedBy: source waits for target',
  section_id: 'id or title',
  parent_task_id: 'key or id',
  assignee_ids: 'names or ids',
  user_ids: 'names or ids',
  user_id: 'name or id',
  agent_id: 'UUID or self',
  ttl: 'ms',
  'tasks.parent': 'index of an earlier task',
  'svc_tasks.to': 'owner, a name or an id',
  'files.data': 'base64',
  task_identifier: 'key or id',
  member_identifier: 'user_id or email',
  date: 'YYYY-MM-DD',
  'board_filters.groups.rules.field': 'label, priority, …',
  'svc_projects.when': 'JSON as in rule_reference',
  'svc_projects.conditions': 'JSON',
  'svc_projects.actions': 'JSON',
  'svc_tasks.custom_fields': 'JSON: {"name": value}',
  'svc_tasks.agent_id': 'UUID or name',
  'svc_inbox.agent_id': 'UUID or name',
  'svc_tasks.assigned_to': 'list: me, none or a name',
  'svc_tasks.section': 'title',
  'svc_search.query': 'tasks: operators as in svc_tasks list',
  'svc_tasks.recurrence': 'Daily, Weekdays, Weekly, Biweekly, Monthly or RRULE',
  'svc_tasks.query': 'words and operators: is:overdue has:due due:<=2026-12-01 by:me',
}

export const shownAs = (tool: string, path: string): FieldSchema | undefined =>
  SHOWN_AS[`${tool}.${path}`] ?? SHOWN_AS[path]

export const hintFor = (tool: string, path: string): string | undefined =>
  HINTS[`${tool}.${path}`] ?? HINTS[path]
