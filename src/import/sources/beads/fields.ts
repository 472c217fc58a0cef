import { type FieldTable, lost, unneeded } from '../../fields.ts'

const section = (name: string) => `section "${name}" of the description`
const field = (name: string) => `custom field "${name}"`
const deleted = unneeded('Deleted issues are not imported')
const compacted = unneeded('It is about the compaction of old issues')
const count = unneeded('It counts what the file has')

/** The custom fields of an issue by their names in the file. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  issue_type: 'Type',
  estimated_minutes: 'Estimate in minutes',
  external_ref: 'External reference',
  spec_id: 'Specification',
  owner: 'Owner',
  source_system: 'Source system',
  await_type: 'Waits for',
  await_id: 'Waits for ID',
  mol_type: 'Molecule type',
}

/** The sections of a description by their names in the file, in their order. */
export const SECTION_NAMES: Readonly<Record<string, string>> = {
  design: 'Design',
  acceptance_criteria: 'Acceptance criteria',
  notes: 'Notes',
  close_reason: 'Close reason',
  closed_reason: 'Close reason',
  waiters: 'Waiters',
  bonded_from: 'Bonded from',
  payload: 'Payload',
}

const named = (names: Readonly<Record<string, string>>, fate: (name: string) => string) =>
  Object.fromEntries(Object.entries(names).map(([name, title]) => [name, fate(title)]))

const issue: FieldTable = {
  id: 'task key',
  title: 'task title',
  description: 'task description',
  ...named(SECTION_NAMES, section),
  ...named(FIELD_NAMES, field),
  status: 'column; closed issues are done',
  priority: 'priority: 0 is urgent, 1 high, 2 medium, 3 low, 4 (backlog) none',
  assignee: 'assignee',
  labels: 'labels',
  created_at: 'created at',
  created_by: 'author of the task',
  updated_at: 'updated at',
  closed_at: 'completed at',
  started_at: `${field('Started at')} (the day)`,
  due_at: 'due date',
  defer_until: 'start date',
  metadata: 'a custom field for each value; lists become sections of the description',
  pinned: 'label pinned',
  ephemeral: 'label ephemeral',
  is_template: 'label template',
  'comments[].id': 'finds the comment again',
  'comments[].issue_id': unneeded('It repeats the issue'),
  'comments[].author': 'author of the comment',
  'comments[].text': 'comment',
  'comments[].created_at': 'time of the comment',
  'dependencies[]': 'relation: the other task blocks this one',
  'dependencies[].issue_id': unneeded('It repeats the issue'),
  'dependencies[].depends_on_id': 'the other task of a relation',
  'dependencies[].type':
    'blocks, conditional-blocks, waits-for: relation "blocks"; parent-child: parent; others: relation "related", and a line in the section "Links"',
  'dependencies[].metadata': lost('Relations have no details'),
  'dependencies[].thread_id': lost('Relations have no threads'),
  'dependencies[].created_at': lost('Relations have no time'),
  'dependencies[].created_by': lost('Relations have no author'),
  depends_on: 'relation: the other task blocks this one',
  relates_to: 'relation "related"',
  replies_to: 'relation "related"',
  duplicate_of: 'relation "related"',
  superseded_by: 'relation "related"',
  parent: 'parent, if there is no dependency of the type parent-child',
  sender: field('Sender'),
  no_history: unneeded('It is about the storage of beads'),
  wisp_type: field('Wisp type'),
  timeout: field('Timeout'),
  source_formula: field('Source formula'),
  source_location: field('Source location'),
  work_type: field('Work type'),
  event_kind: field('Event kind'),
  actor: field('Actor'),
  target: field('Target'),
  key: 'name of a memory in the board description',
  value: 'memory in the board description',
  _type: unneeded('It tells issues from memories'),
  closed_by_session: unneeded('It is the id of a session of an agent'),
  content_hash: unneeded('It is computed from the issue'),
  compaction_level: compacted,
  compacted_at: compacted,
  compacted_at_commit: compacted,
  original_size: compacted,
  source_repo: unneeded('It is the folder of the repository'),
  source_repo_path: unneeded('It is the folder of the repository'),
  schema_version: unneeded('It is the version of the format'),
  dependency_count: count,
  dependent_count: count,
  comment_count: count,
  deleted_at: deleted,
  deleted_by: deleted,
  delete_reason: deleted,
  original_type: deleted,
  '*': 'custom field of that name; long texts and lists become a section of the description',
}

/** Fields of an issue that become custom fields or sections like those that beads does not know. */
const COPIED =
  /^(sender|wisp_type|timeout|source_formula|source_location|work_type|event_kind|actor|target)$/

/** The fields of an issue that have a place of their own, or none. */
export const OWN_FIELDS: ReadonlySet<string> = new Set(
  Object.keys(issue)
    .map((path) => path.replace(/[[.].*/, ''))
    .filter((name) => name !== '*' && !COPIED.test(name)),
)

export const fields: FieldTable = issue
