import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf, parseJson } from '../../text.ts'
import { isObject, listOf } from '../shared/json.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { relationsOf } from './dependencies.ts'
import { fields } from './fields.ts'
import { identityOf, isTasksFile, readProject, type TaskList, tagsOf } from './project.ts'
import { addBoard, addTask, nodesOf } from './tasks.ts'

export const taskMaster: Source = {
  name: 'taskmaster',
  title: 'Task Master',
  accepts:
    'A repository with Task Master, its folder .taskmaster, or the file tasks.json in it or in tasks',
  inFolder:
    /(^|\/)(\.taskmaster\/(config|state)\.json|\.taskmasterconfig|tasks\/tasks\.json|(reports|scripts)\/task-complexity-report[^/]*\.json)$|^(tasks|config|state)\.json$/,
  fields,
  detects,
  read,
}

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files.filter(isTasksFile)) {
    const text = await beginningOf(file)
    const isOurs = /(^|\/)\.taskmaster\//.test(file.path)
    if (!isOurs && !text.includes('"tasks"')) continue
    try {
      const tags = tagsOf(parseJson(text, file.path))
      if ([...tags.values()].some(({ tasks }) => listOf(tasks).some(isTask))) return true
      if (isOurs && tags.size) return true
    } catch {
      if (isOurs) return true
    }
  }
  return false
}

/** Other products have lists named "tasks" too. */
const isTask = (task: unknown) =>
  isObject(task) &&
  'title' in task &&
  'status' in task &&
  ['dependencies', 'subtasks', 'testStrategy'].filter((name) => name in task).length > 1

async function* read(files: readonly SourceFile[], report: Report): AsyncGenerator<ImportRecord> {
  const project = await readProject(files, report)
  const { name, lists } = project
  const origin = { id: `taskmaster:${identityOf(project)}`, title: name || 'Task Master' }
  const records = new RecordCollector(origin, report)
  for (const list of lists) {
    const nodes = nodesOf(list, project, report)
    addBoard(list, nodes, titleOf(list, lists.length > 1, name), records)
    for (const node of nodes.values()) addTask(list, node, records)
    for (const { kind, first, second } of relationsOf(list, nodes, report))
      records.relation(kind, first, second)
  }
  yield* records.records()
}

function titleOf({ root, tag }: TaskList, isOneOfMany: boolean, name: string): string {
  const part = [root, tag].filter(Boolean).join(' ')
  if (!isOneOfMany) return name || 'Task Master'
  return name ? `${name}: ${part}` : part
}
