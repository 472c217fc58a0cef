import { type FieldTable, unneeded } from '../../fields.ts'

const copy = unneeded('It repeats where the subtask is')
const count = unneeded('It counts tasks')
const section = 'section of the description'

/** Subtasks have the same fields, at any depth. */
const task = {
  '': 'task',
  id: 'custom field "Task ID"; task key if it has a prefix, such as TASK-13',
  title: 'task title',
  description: 'task description',
  details: 'section "Details" of the description',
  testStrategy: 'section "Test strategy" of the description',
  status: 'column; tasks that are cancelled are archived',
  priority: 'priority',
  dependencies: 'relation: the other task blocks this one',
  assignee: 'assignee',
  labels: 'labels',
  tags: 'labels',
  createdAt: 'created at',
  updatedAt: 'updated at',
  completedAt: 'completed at',
  dueDate: 'due date',
  complexity: 'custom field "Complexity"',
  complexityScore: 'custom field "Complexity"',
  complexityReasoning: section,
  recommendedSubtasks: 'custom field "Recommended subtasks"',
  expansionPrompt: section,
  previousStatus: 'custom field "Previous status"',
  effort: 'custom field "Effort"',
  actualEffort: 'custom field "Actual effort"',
  acceptanceCriteria: section,
  relevantFiles: section,
  codebasePatterns: section,
  existingInfrastructure: section,
  scopeBoundaries: section,
  implementationApproach: section,
  technicalConstraints: section,
  skills: section,
  category: 'custom field "Category"',
  metadata: 'a custom field for each value; lists become sections of the description',
  databaseId: unneeded('It is the id in a database of Task Master'),
  '*': 'custom field of that name; long texts and lists become a section of the description',
}

const under = (path: string, fields: FieldTable): FieldTable =>
  Object.fromEntries(
    Object.entries(fields).map(([name, fate]) => [name ? `${path}.${name}` : path, fate]),
  )

/** Fields that are sections even if their text is short. */
export const SECTIONS: ReadonlySet<string> = new Set(
  Object.entries(task).flatMap(([name, fate]) => (fate === section ? [name] : [])),
)

const list: FieldTable = {
  '': 'board; one for each tag. Files without tags are the tag master',
  ...under('tasks[]', task),
  'tasks[].subtasks': 'subtasks, with the same fields as tasks',
  'tasks[].subtasks[].parentId': copy,
  'tasks[].subtasks[].parentTaskId': copy,
  'tasks[].subtasks[].parentTask': copy,
  'tasks[].subtasks[].isSubtask': copy,
  name: unneeded('It repeats the tag'),
  description: 'board description',
  'metadata.description': 'board description',
  'metadata.projectName': 'board title, if the configuration has no project name',
  'metadata.name': unneeded('It repeats the tag'),
  'metadata.tags': unneeded('It repeats the tags of the file'),
  'metadata.version': unneeded('It is the version of the format'),
  'metadata.created': 'tells projects without a name apart',
  'metadata.createdAt': 'tells projects without a name apart',
  'metadata.updated': unneeded('It is the time of the last change'),
  'metadata.updatedAt': unneeded('It is the time of the last change'),
  'metadata.lastModified': unneeded('It is the time of the last change'),
  'metadata.taskCount': count,
  'metadata.totalTasks': count,
  'metadata.completedCount': count,
  'metadata.completedTasks': count,
  'metadata.pendingTasks': count,
  'metadata.nextId': unneeded('It is the next id'),
  'metadata.*': 'board description',
  version: unneeded('It is the version of the format'),
  lastUpdated: unneeded('It is the time of the last change'),
  '*': 'board description',
}

/** Names of the members of a list of tasks, and of its metadata, that say nothing about a board. */
export const TECHNICAL = new Set(
  Object.keys(list)
    .filter((path) => /^(metadata\.)?\w+$/.test(path))
    .map((path) => path.replace('metadata.', ''))
    .concat('tasks', 'metadata'),
)

const report = 'complexityReport.complexityAnalysis[]'

export const fields: FieldTable = {
  ...under('*', list),
  'config.global.projectName': 'name of the import; board title',
  'config.project': 'name of the import; board title',
  config: unneeded('These are settings of Task Master'),
  state: unneeded('These are settings of Task Master'),
  [`${report}.complexityScore`]: 'custom field "Complexity", unless the task has one',
  [`${report}.complexity`]: 'custom field "Complexity", unless the task has one',
  [`${report}.recommendedSubtasks`]: 'custom field "Recommended subtasks"',
  [`${report}.expansionPrompt`]: section,
  [`${report}.reasoning`]: 'section "Complexity reasoning" of the description',
  [`${report}.complexityReasoning`]: section,
  [`${report}.taskId`]: 'finds the task',
  [`${report}.id`]: 'finds the task',
  [report]: unneeded('It repeats the task'),
  'complexityReport.meta': unneeded('It is about the run of the analysis'),
}
