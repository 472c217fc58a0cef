import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { parseJson, textOf } from '../../text.ts'
import { refuseConflict } from '../shared/conflict-markers.ts'
import { isObject, type Json, listOf, stringOf } from '../shared/json.ts'

export interface TaskList {
  /** The folder of the project, if a file of a folder below was imported. */
  root: string
  tag: string
  content: Json
}

export interface Project {
  /** Empty if it has only the name that Task Master gives to every project. */
  name: string
  lists: TaskList[]
  /** What the complexity reports say about a task, by root, tag and id. */
  complexity: Map<string, Json>
}

const SETTINGS = /(^|\/)(config\.json|state\.json|\.taskmasterconfig)$/
const REPORT = /(^|\/)task-complexity-report(?:_([^/]*))?\.json$/
const PLACE =
  /(^|\/)(\.taskmaster\/)?(tasks\/|reports\/|scripts\/)?(\.taskmasterconfig|[^/]*\.json)$/
const DEFAULT_NAME = /^(task ?master( ai)?|your project name)$/i

export const isTasksFile = ({ path }: SourceFile): boolean =>
  path.endsWith('.json') && !SETTINGS.test(path) && !REPORT.test(path)

export const rootOf = (path: string) => path.replace(PLACE, '')

export const complexityKey = (root: string, tag: string, id: string) => `${root}\n${tag}\n${id}`

/** A tag, or a file of a version without tags. Agents write lists without the object around them. */
function taskListOf(value: unknown): Json | undefined {
  const content = Array.isArray(value) ? { tasks: value } : value
  if (!isObject(content) || !Array.isArray(content.tasks)) return undefined
  const { tasks } = content
  const isEmpty = tasks.length === 0 && content === value
  const hasTasks = tasks.some((task) => isObject(task) && 'id' in task && 'title' in task)
  return isEmpty || hasTasks ? content : undefined
}

/** The lists of tasks in a file by their tags. */
export function tagsOf(document: unknown): Map<string, Json> {
  const tags = new Map<string, Json>()
  const own = taskListOf(document)
  const members = isObject(document) ? Object.entries(document) : []
  const nested = isObject(document) && isObject(document.tags) ? Object.entries(document.tags) : []
  for (const [tag, value] of [...members.filter(([name]) => name !== 'tasks'), ...nested]) {
    const content = taskListOf(value)
    if (content && !tags.has(tag)) tags.set(tag, content)
  }
  if (own && !tags.has('master')) tags.set('master', own)
  return tags
}

/** What tells a project from others: its name, else the time when its first tag was created. */
export function identityOf({ name, lists }: Project): string {
  const main = lists.find(({ tag }) => tag === 'master') ?? lists[0]
  const metadata = main?.content.metadata
  return name || (isObject(metadata) ? stringOf(metadata.created ?? metadata.createdAt) : '')
}

export async function readProject(files: readonly SourceFile[], report: Report): Promise<Project> {
  const project: Project = { name: '', lists: [], complexity: new Map() }
  for (const file of files.filter(({ path }) => SETTINGS.test(path)))
    readSettings(await optionalJson(file, report), file.path, project, report)
  for (const file of files.filter(({ path }) => REPORT.test(path)))
    readReport(await optionalJson(file, report), file.path, project, report)
  await readTasks(currentFiles(files.filter(isTasksFile), report), project, report)
  project.name ||= nameOf(project.lists.map(({ content }) => content.metadata))
  return project
}

/** A project that was moved to the folder .taskmaster may still have the file from before. */
export function currentFiles(files: readonly SourceFile[], report: Report): SourceFile[] {
  const isCurrent = ({ path }: SourceFile) => /(^|\/)\.taskmaster\//.test(path)
  const moved = new Set(files.filter(isCurrent).map(({ path }) => rootOf(path)))
  return files.filter((file) => {
    if (isCurrent(file) || !moved.has(rootOf(file.path))) return true
    report.lose(file.path, 'It is older than the tasks in .taskmaster')
    return false
  })
}

async function readTasks(files: readonly SourceFile[], project: Project, report: Report) {
  for (const file of files) {
    const document = await jsonOf(file)
    const tags = tagsOf(document)
    if (!tags.size && files.length > 1) report.lose(file.path, 'It has no tasks of Task Master')
    const root = rootOf(file.path)
    for (const [tag, content] of tags) {
      report.fields.add(content, '*')
      project.lists.push({ root, tag, content })
    }
  }
  if (project.lists.length) return
  throw new ImportProblem(
    'There are no tasks of Task Master',
    'Import the folder .taskmaster, or the file .taskmaster/tasks/tasks.json',
    { file: files[0]?.path },
  )
}

async function jsonOf(file: SourceFile): Promise<unknown> {
  const text = await textOf(file)
  refuseConflict(text, file.path)
  return parseJson(text, file.path)
}

async function optionalJson(file: SourceFile, report: Report): Promise<unknown> {
  try {
    return await jsonOf(file)
  } catch (error) {
    report.lose(file.path, (error as Error).message)
    return undefined
  }
}

/** The name of another product's config.json is ignored: it does not have these members. */
function readSettings(settings: unknown, path: string, project: Project, report: Report): void {
  if (!isObject(settings)) return
  const isState = path.endsWith('state.json')
  if (isState) report.fields.add(settings, 'state')
  const isOurs = 'models' in settings || 'global' in settings || path.includes('.taskmaster')
  if (isState || !isOurs) return
  report.fields.add(settings, 'config')
  const { global, project: named } = settings
  project.name ||= nameOf([global, { projectName: named }, named])
}

function nameOf(candidates: readonly unknown[]): string {
  const names = candidates.flatMap((candidate) =>
    isObject(candidate) ? [stringOf(candidate.projectName), stringOf(candidate.name)] : [],
  )
  return names.find((name) => name && !DEFAULT_NAME.test(name)) ?? ''
}

function readReport(content: unknown, path: string, project: Project, report: Report): void {
  if (!isObject(content)) return
  report.fields.add(content, 'complexityReport')
  const [, , tag = 'master'] = REPORT.exec(path)!
  for (const entry of listOf(content.complexityAnalysis))
    if (isObject(entry)) {
      const id = stringOf(entry.taskId ?? entry.id)
      project.complexity.set(complexityKey(rootOf(path), tag, id), entry)
    }
}
