import { type FieldTable, lost, unneeded } from '../../fields.ts'

const technical = unneeded('Numbers, times and marks for Vikunja itself')
const order = unneeded('The order in a view')

/** Several fields with the same fate. */
const same = (path: string, names: string, fate: FieldTable[string]): FieldTable =>
  Object.fromEntries(names.split(' ').map((name) => [`${path}.${name}`, fate]))

const person = (path: string, meaning: string): FieldTable => ({
  [path]: technical,
  [`${path}.id`]: meaning,
  [`${path}.name`]: 'name of the person',
  [`${path}.username`]: 'name of the person without another one',
  [`${path}.email`]: 'email of the person',
})

const task: FieldTable = {
  'projects[].tasks[].id': 'task id',
  'projects[].tasks[].title': 'task title',
  'projects[].tasks[].description': 'task description',
  'projects[].tasks[].done': 'done column',
  'projects[].tasks[].done_at': 'task completed at',
  'projects[].tasks[].due_date': 'task due date',
  'projects[].tasks[].start_date': 'task start date',
  'projects[].tasks[].end_date': 'task due date; with a due date: custom field End date',
  'projects[].tasks[].reminders[].reminder': lost('Reminders are not imported'),
  ...same('projects[].tasks[].reminders[]', 'relative_period relative_to', technical),
  'projects[].tasks[].reminder_dates[]': lost('Reminders are not imported'),
  'projects[].tasks[].repeat_after': 'task repeat rule, or custom field Repeats',
  'projects[].tasks[].repeat_mode': 'task repeat rule',
  'projects[].tasks[].priority': 'task priority; label DO NOW for the highest',
  'projects[].tasks[].percent_done': 'custom field Percent done',
  'projects[].tasks[].identifier': 'task key',
  'projects[].tasks[].bucket_id': 'column',
  ...person('projects[].tasks[].assignees[]', 'task assignee'),
  ...person('projects[].tasks[].created_by', 'task created by'),
  'projects[].tasks[].labels[]': technical,
  'projects[].tasks[].labels[].title': 'task label',
  'projects[].tasks[].labels[].hex_color': 'label color',
  'projects[].tasks[].labels[].description': lost('Labels have no description'),
  'projects[].tasks[].related_tasks.*[]': unneeded('A copy of the other task'),
  'projects[].tasks[].related_tasks.*[].id': 'task parent, or relation blocks or related',
  'projects[].tasks[].attachments[]': technical,
  'projects[].tasks[].attachments[].id': 'attachment id',
  'projects[].tasks[].attachments[].created': 'attachment created at',
  ...person('projects[].tasks[].attachments[].created_by', 'attachment created by'),
  'projects[].tasks[].attachments[].file.id': 'attachment file',
  'projects[].tasks[].attachments[].file.name': 'attachment file name',
  'projects[].tasks[].attachments[].file.mime': 'attachment type',
  ...same('projects[].tasks[].attachments[].file', 'size created', technical),
  'projects[].tasks[].comments[].id': 'comment id',
  'projects[].tasks[].comments[].comment': 'comment text',
  'projects[].tasks[].comments[].created': 'comment created at',
  'projects[].tasks[].comments[].updated': 'comment edited at',
  'projects[].tasks[].comments[].reactions': lost('There are no reactions'),
  ...person('projects[].tasks[].comments[].author', 'comment author'),
  'projects[].tasks[].reactions': lost('There are no reactions'),
  'projects[].tasks[].hex_color': lost('Tasks have no color'),
  'projects[].tasks[].is_favorite': lost('Tasks are not favorites'),
  'projects[].tasks[].created': 'task created at',
  'projects[].tasks[].updated': 'task updated at',
  'projects[].tasks[].deleted_at': unneeded('Deleted tasks are left out'),
  ...same('projects[].tasks[]', 'position kanban_position', order),
  ...same(
    'projects[].tasks[]',
    'project_id list_id index cover_image_attachment_id subscription is_unread comment_count ' +
      'time_entries_count buckets',
    technical,
  ),
}

const project: FieldTable = {
  'projects[].id': 'board id',
  'projects[].title': 'board title',
  'projects[].description': 'board description',
  'projects[].identifier': 'board key',
  'projects[].parent_project_id': 'board title, with those above it',
  'projects[].is_archived': 'tasks archived',
  ...person('projects[].owner', 'person'),
  'projects[].hex_color': lost('Boards have no color'),
  'projects[].is_favorite': unneeded('A mark of the exporting person'),
  'projects[].background_information': lost('Backgrounds are not imported'),
  ...same('projects[]', 'background_blur_hash background_file_id', technical),
  ...same('projects[]', 'created updated subscription max_permission namespace_id', technical),
  ...same('projects[]', 'position positions', order),
  'projects[].buckets[]': technical,
  'projects[].buckets[].title': 'column title',
  'projects[].buckets[].limit': 'WIP limit of the column',
  'projects[].buckets[].position': 'order of the columns',
  'projects[].buckets[].is_done_bucket': 'column done',
  'projects[].buckets[].project_view_id': 'the kanban view, of which the first is read',
  'projects[].task_buckets[]': technical,
  'projects[].task_buckets[].task_id': 'column of that task',
  'projects[].task_buckets[].bucket_id': 'column',
  'projects[].views[]': unneeded('Settings of a view'),
  'projects[].views[].view_kind': 'which buckets are columns',
  'projects[].views[].done_bucket_id': 'column done',
  'projects[].views[].default_bucket_id': 'column of tasks without a bucket',
  'namespaces[]': technical,
  'namespaces[].title': 'start of the board titles',
  'namespaces[].description': lost('Boards are not in folders'),
  'namespaces[].is_archived': 'tasks archived',
  'filters[]': lost('Saved filters are not imported'),
}

export const fields: FieldTable = { ...project, ...task }
