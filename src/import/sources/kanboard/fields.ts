import { type FieldTable, lost, unneeded } from '../../fields.ts'

const id = unneeded('technical id')
const view = unneeded('view setting')
const settings = unneeded('setting of the project')
const copy = unneeded('copy of a field of another record')
const order = 'order of the tasks'

const named = (path: string, fates: FieldTable): FieldTable =>
  Object.fromEntries(Object.entries(fates).map(([name, fate]) => [`${path}.${name}`, fate]))
const same = (names: readonly string[], fate: FieldTable[string]): FieldTable =>
  Object.fromEntries(names.map((name) => [name, fate]))

const csvFields = named('csv[]', {
  'Task Id': 'id of the task',
  Reference: 'custom field Reference',
  Project: 'board title',
  Status: 'done, if it is closed',
  Category: 'label',
  Swimlane: 'custom field Swimlane',
  Column: 'column; of completed tasks elsewhere, custom field Column',
  Position: order,
  Color: 'custom field Color, unless it is yellow',
  'Due date': 'due date; times are taken to be in UTC',
  Creator: 'creator of the task',
  'Creator Name': 'name of the person',
  'Assignee Username': 'assignee',
  'Assignee Name': 'name of the person',
  Complexity: 'custom field Complexity',
  Title: 'task title',
  'Creation date': 'creation date',
  'Modification date': 'date of the last change',
  'Completion date': 'completion date',
  'Start date': 'start date',
  'Time estimated': 'custom field Estimated hours',
  'Time spent': 'custom field Spent hours',
  Priority: 'priority: 1 is low, 2 medium, 3 high, and 4 or more urgent',
  Tags: 'labels',
})

const projectFields: FieldTable = {
  ...named('project', {
    id: 'id of the board',
    name: 'board title',
    description: 'board description',
    identifier: 'board key, and keys of the tasks',
    url: 'id of the import',
    ...same(
      [
        ...['is_active', 'token', 'last_modified', 'is_public', 'is_private', 'owner_id', 'email'],
        ...['default_swimlane', 'show_default_swimlane', 'start_date', 'end_date', 'is_everybody'],
        ...['priority_default', 'priority_start', 'priority_end', 'predefined_email_subjects'],
        ...['per_swimlane_task_limits', 'task_limit', 'enable_global_tags'],
      ],
      settings,
    ),
  }),
  ...named('columns[]', {
    id: 'the column of its tasks',
    title: 'column title; of completed tasks elsewhere, custom field Column',
    position: 'order of the columns',
    task_limit: 'column limit',
    description: 'board description',
    hide_in_dashboard: view,
    project_id: id,
  }),
  ...named('swimlanes[]', {
    id: 'custom field Swimlane',
    name: 'option of the custom field Swimlane',
    description: 'board description',
    position: 'order of the options',
    task_limit: lost('swimlanes have no limits'),
    is_active: view,
    project_id: id,
  }),
  ...named('categories[]', {
    id: 'label',
    name: 'label name',
    color_id: 'label color',
    description: 'board description',
    project_id: id,
  }),
  'users[]': unneeded('profile settings'),
  ...named('users[]', {
    id: 'id of the person',
    username: 'name of the person, if there is no name',
    name: 'name of the person',
    email: 'email of the person',
  }),
}

const taskFields = named('tasks[]', {
  id: 'id of the task',
  title: 'task title',
  description: 'task description; #12 becomes a link to that task',
  reference: 'custom field Reference',
  column_id: 'column',
  swimlane_id: 'custom field Swimlane',
  category_id: 'label',
  color_id: 'custom field Color, unless it is yellow',
  owner_id: 'assignee',
  creator_id: 'creator of the task',
  position: order,
  is_active: 'done, if it is closed',
  score: 'custom field Complexity',
  priority: 'priority: 1 is low, 2 medium, 3 high, and 4 or more urgent',
  date_due: 'due date',
  date_started: 'start date',
  date_creation: 'creation date',
  date_modification: 'date of the last change',
  date_completed: 'completion date',
  time_estimated: 'custom field Estimated hours',
  time_spent: 'custom field Spent hours',
  recurrence_status: 'whether the task repeats',
  recurrence_factor: 'repeat',
  recurrence_timeframe: 'repeat',
  recurrence_basedate: 'repeat from the due date or from the completion',
  recurrence_trigger: unneeded('tasks repeat when they are completed'),
  recurrence_parent: unneeded('link to the task before it in the series'),
  recurrence_child: unneeded('link to the task after it in the series'),
  date_moved: unneeded('when the task came into its column'),
  external_provider: 'custom field External source',
  external_uri: 'link in the description',
  project_id: id,
  url: unneeded('address in Kanboard'),
  color: copy,
  tags: 'labels',
  'metadata.*': 'custom field of that name',
  'metadata[].*': 'custom field of that name',
})

const partFields: FieldTable = {
  ...named('tasks[].subtasks[]', {
    id: 'id of the subtask',
    title: 'title of the subtask',
    status: 'done, if it is done',
    user_id: 'assignee of the subtask',
    due_date: 'due date of the subtask',
    time_estimated: 'custom field Estimated hours',
    time_spent: 'custom field Spent hours',
    position: order,
    ...same(['task_id', 'username', 'name', 'status_name', 'is_timer_started'], copy),
    timer_start_date: lost('a running timer cannot be moved'),
  }),
  ...named('tasks[].comments[]', {
    id: 'id of the comment',
    comment: 'comment text',
    user_id: 'author of the comment',
    date_creation: 'date of the comment',
    date_modification: 'date of the last change of the comment',
    visibility: 'comments for managers or administrators only are left out',
    reference: id,
    ...same(['task_id', 'username', 'name', 'email', 'avatar_path'], copy),
  }),
  ...named('tasks[].links[]', {
    task_id: 'parent, blocking or related task',
    label: 'kind of the relation; others than these are words in the description',
    title: 'text of a link in the description',
    project_name: 'text of a link to a task of another project',
    ...same(
      [
        ...['is_active', 'project_id', 'column_id', 'color_id', 'date_completed', 'date_started'],
        ...['date_due', 'task_time_spent', 'task_time_estimated', 'task_assignee_id'],
        ...['task_assignee_username', 'task_assignee_name', 'column_title'],
      ],
      copy,
    ),
    id,
  }),
  ...named('tasks[].externalLinks[]', {
    url: 'link in the description',
    title: 'text of the link in the description',
    ...same(['id', 'link_type', 'dependency', 'date_creation', 'date_modification', 'task_id'], id),
    ...same(['creator_id', 'creator_name', 'creator_username', 'dependency_label', 'type'], id),
  }),
  ...named('tasks[].files[]', {
    id: 'id of the attachment',
    name: 'file name',
    user_id: 'who attached the file',
    date: 'date of the attachment',
    mime_type: 'content type of the file',
    ...same(['path', 'is_image', 'size', 'etag', 'task_id', 'username', 'user_name'], id),
  }),
}

export const fields: FieldTable = { ...csvFields, ...projectFields, ...taskFields, ...partFields }
