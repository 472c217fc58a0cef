import { type FieldTable, lost, unneeded } from '../../fields.ts'

const position = unneeded('The tasks keep the order of the file.')
const display = unneeded('How Todoist displays it.')
const copy = unneeded('A copy of another field.')
const gone = unneeded('Deleted items are left out.')
const DUE: FieldTable = {
  'items[].due.date': 'due date; start date, if the task has a deadline',
  'items[].due.datetime': 'due date with time',
  'items[].due.timezone': 'time zone of the due date',
  'items[].due.string': 'repeat rule, if it is English; else custom field Repeats',
  'items[].due.lang': unneeded('The language of the text of the date.'),
  'items[].due.is_recurring': 'whether the task repeats',
}

const CSV: FieldTable = {
  TYPE: 'task, section (column) or note (comment)',
  CONTENT: 'task title with labels (@label), column title, comment text or attachment',
  DESCRIPTION: 'task description; that of a section is in the description of the board',
  IS_COLLAPSED: display,
  PRIORITY: 'priority: 1 Urgent, 2 High, 3 Medium, 4 none',
  INDENT: 'parent task',
  AUTHOR: 'creator of the task, author of the comment',
  RESPONSIBLE: 'assignee',
  DATE: 'due date and repeat rule, if the text is English; else custom field Date; time of a comment',
  DATE_LANG: unneeded('The language of the text of the date.'),
  DUE_DATE: 'older name of DATE',
  DUE_DATE_LANG: 'older name of DATE_LANG',
  TIMEZONE: 'time zone of the due date',
  DURATION: 'custom field Duration (minutes)',
  DURATION_UNIT: 'unit of the duration',
  DEADLINE: 'due date; custom field Deadline, if the task repeats',
  DEADLINE_LANG: unneeded('The language of the text of the date.'),
  meta: display,
}

const TASKS: FieldTable = {
  items: 'tasks',
  'items[].id': 'task id',
  'items[].content': 'task title',
  'items[].description': 'task description',
  'items[].project_id': 'board',
  'items[].section_id': 'column',
  'items[].parent_id': 'parent task',
  'items[].priority': 'priority: 4 Urgent, 3 High, 2 Medium, 1 none',
  'items[].labels': 'labels',
  'items[].responsible_uid': 'assignee',
  'items[].assignee_id': 'assignee',
  'items[].assigned_by_uid': lost('Corkboard does not store who assigned a task.'),
  'items[].assigner_id': lost('Corkboard does not store who assigned a task.'),
  'items[].added_by_uid': 'creator',
  'items[].creator_id': 'creator',
  'items[].user_id': 'creator, if there is no other',
  'items[].added_at': 'created',
  'items[].created_at': 'created',
  'items[].date_added': 'created',
  'items[].updated_at': 'updated',
  'items[].checked': 'column Done',
  'items[].is_completed': 'column Done',
  'items[].completed_at': 'completed',
  'items[].date_completed': 'completed',
  'items[].completed_by_uid': lost('Corkboard does not store who completed a task elsewhere.'),
  'items[].duration.amount': 'custom field Duration (minutes)',
  'items[].duration.unit': 'unit of the duration',
  'items[].deadline.date': 'due date; custom field Deadline, if the task repeats',
  'items[].deadline.lang': unneeded('The language of the text of the date.'),
  'items[].postponed_count': lost('How often the date was moved.'),
  'items[].is_deleted': gone,
  'items[].url': copy,
  'items[].note_count': copy,
  'items[].comment_count': copy,
  'items[].*': unneeded('Other ids, positions and display settings of Todoist.'),
  ...DUE,
}

const COMMENTS: FieldTable = {
  notes: 'comments',
  'notes[].id': 'comment id',
  'notes[].item_id': 'task of the comment',
  'notes[].task_id': 'task of the comment',
  'notes[].content': 'comment text',
  'notes[].posted_uid': 'author of the comment',
  'notes[].posted_by_uid': 'author of the comment',
  'notes[].posted_at': 'time of the comment',
  'notes[].file_attachment': 'attachment',
  'notes[].attachment': 'attachment',
  'notes[].uids_to_notify': unneeded('Who was notified.'),
  'notes[].reactions': lost('Corkboard comments have no reactions from other products.'),
  'notes[].is_deleted': gone,
  'notes[].*': unneeded('Other ids of Todoist.'),
  'project_notes[].content': 'board description',
  'project_notes[].file_attachment': lost('Boards have no attachments.'),
  'project_notes[].*': unneeded('Ids, author and time of a text in the board description.'),
}

const OTHER_TABLES = [
  'calendar_accounts calendars collaborator_states completed_info day_orders folders full_sync',
  'full_sync_date_utc goals live_notifications live_notifications_last_read_id locations',
  'project_view_options_defaults role_actions settings_notifications stats suggestions sync_token',
  'temp_id_mapping tooltips user_plan_limits user_settings view_options workspace_users workspaces',
  'workspace_filters workspace_goals',
]

const ACCOUNT: FieldTable = {
  reminders: lost('Corkboard reminds of due dates by its own settings.'),
  filters: lost('A filter is a view in Corkboard; create it there.'),
  ...Object.fromEntries(
    OTHER_TABLES.join(' ')
      .split(' ')
      .map((name) => [name, unneeded('Settings of the account, not of a task.')]),
  ),
}

export const todoistFields: FieldTable = {
  ...CSV,
  ...TASKS,
  ...COMMENTS,
  'projects[].id': 'board id',
  'projects[].name': 'board title',
  'projects[].description': 'board description',
  'projects[].parent_id': 'board description: the project that it is part of',
  'projects[].is_deleted': gone,
  'projects[].*': unneeded('Color, position and display settings of the project.'),
  'sections[].id': 'column',
  'sections[].name': 'column title',
  'sections[].project_id': 'board of the column',
  'sections[].section_order': 'order of the columns',
  'sections[].order': 'order of the columns',
  'sections[].is_deleted': gone,
  'sections[].*': unneeded('Times and display settings of the section.'),
  'labels[].name': 'label',
  'labels[].color': 'label color',
  'labels[].*': position,
  'collaborators[].id': 'person',
  'collaborators[].full_name': 'person name',
  'collaborators[].name': 'person name',
  'collaborators[].email': 'person email',
  'collaborators[].*': unneeded('Profile settings.'),
  'user.id': 'person',
  'user.full_name': 'person name',
  'user.email': 'person email',
  'user.tz_info': 'time zone of dates without one',
  'user.*': unneeded('Settings of the account.'),
  ...ACCOUNT,
}
