import { type FieldTable, lost, unneeded } from '../../fields.ts'

const setting = unneeded('It is a setting of Backlog.md')
const section = 'section of the description'
const other = 'custom field of that name; long texts and lists become a section of the description'

const under = (path: string, fields: FieldTable): FieldTable =>
  Object.fromEntries(Object.entries(fields).map(([name, fate]) => [`${path}.${name}`, fate]))

const task: FieldTable = {
  id: 'task key',
  title: 'task title',
  status: 'column; the last status, or one called Done, is done',
  assignee: 'assignees',
  reporter: 'author of the task',
  created_date: 'created at',
  created: 'created at',
  updated_date: 'updated at',
  updated: 'updated at',
  completed_date: 'completed at',
  completion_date: 'completed at',
  due_date: 'due date; 23:59 is the end of a day without a time',
  labels: 'labels',
  tags: 'labels',
  milestone: 'custom field "Milestone"',
  dependencies: 'relation: the other task blocks this one',
  blocked_by: 'relation: the other task blocks this one',
  references: 'custom field "Reference" if it is one link, else a section of the description',
  documentation: section,
  modified_files: section,
  parent_task_id: 'parent',
  parent: 'parent',
  subtasks: unneeded('Each subtask names its parent'),
  priority: 'priority',
  type: 'custom field "Type"',
  ordinal: 'order of the tasks',
  onStatusChange: lost('Corkboard runs no commands; use a webhook'),
  '*': other,
}

export const TASK_NAMES: ReadonlySet<string> = new Set(Object.keys(task))

export const fields: FieldTable = {
  ...under('config', {
    project_name: 'name of the import; board title',
    statuses: 'columns',
    labels: 'labels of the board',
    default_status: 'column of tasks without a status',
    definition_of_done: 'board description',
    milestones: 'options of the custom field "Milestone"',
    task_prefix: 'key of the board',
    priorities: unneeded('Each task has its priority'),
    types: unneeded('Each task has its type'),
    backlog_directory: 'finds the folder',
  }),
  config: setting,
  ...under('task', task),
  ...under('section', {
    Description: 'task description',
    'Acceptance Criteria': 'checklist in the description',
    'Definition of Done': 'checklist in the description',
    'Implementation Plan': section,
    'Implementation Notes': section,
    'Final Summary': section,
    Comments: 'comments, with author and time',
    '*': section,
  }),
  ...under('milestone', {
    id: 'finds the milestone of a task',
    title: 'option of the custom field "Milestone"',
    due_date: 'board description',
    '*': 'board description',
    text: 'board description',
  }),
  ...under('decision', {
    id: 'task key',
    title: 'title of a task with the label decision, in a hidden column',
    date: 'created at',
    status: 'custom field "Decision status"',
    '*': other,
  }),
  ...under('doc', {
    id: 'task key',
    title: 'title of a task with the label doc, in a hidden column',
    type: 'custom field "Document type"',
    created_date: 'created at',
    updated_date: 'updated at',
    tags: 'labels',
    '*': other,
  }),
}
