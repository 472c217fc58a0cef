import type { Column } from '../../record.ts'
import type { Report } from '../../source.ts'
import { type Json, numberOf, objectsOf, stringOf } from '../shared/json.ts'
import { cut } from '../shared/task-limits.ts'

/** A project of the tree of projects, with the titles of those above it. */
export interface VikunjaProject {
  id: string
  path: string
  isArchived: boolean
  project: Json
}

/** All projects, also those in others. Old exports have namespaces above the projects. */
export function projectsOf(list: readonly Json[], report: Report): VikunjaProject[] {
  const found: VikunjaProject[] = []
  const ids = new Set<string>()
  const visit = (project: Json, above: string, isArchived: boolean, isNamespace: boolean) => {
    const { child_projects, projects, lists, ...own } = project
    report.fields.add(own, isNamespace ? 'namespaces[]' : 'projects[]')
    const title = stringOf(project.title) || 'Untitled'
    const path = above ? `${above} / ${title}` : title
    const archived = isArchived || project.is_archived === true
    const id = stringOf(project.id)
    if (!isNamespace && id && !ids.has(id))
      found.push({ id, path, isArchived: archived, project: own })
    else if (!isNamespace)
      report.lose('A project', id ? 'It is in the files twice' : 'It has no id')
    if (!isNamespace) ids.add(id)
    for (const children of [child_projects, projects, lists])
      for (const child of objectsOf(children)) visit(child, path, archived, false)
  }
  for (const project of list) visit(project, '', false, 'projects' in project || 'lists' in project)
  return withParents(found)
}

/** Newer exports are flat: the titles of the projects above come from `parent_project_id`. */
function withParents(projects: VikunjaProject[]): VikunjaProject[] {
  const byId = new Map(projects.map((one) => [one.id, one]))
  const pathOf = ({ path, project }: VikunjaProject, depth = 0): string => {
    const parent = byId.get(stringOf(project.parent_project_id))
    return parent && depth < 20 ? `${pathOf(parent, depth + 1)} / ${path}` : path
  }
  return projects.map((one) => ({ ...one, path: pathOf(one) }))
}

/** The columns of a project, and which one a bucket and a task is in. */
export interface Buckets {
  columns: Column[]
  byBucket: Map<string, string>
  byTask: Map<string, string>
  first: string
  done: string
}

const byPosition = (one: Json, other: Json) =>
  (numberOf(one.position) ?? 0) - (numberOf(other.position) ?? 0)
const isKanban = ({ view_kind }: Json) => view_kind === 'kanban' || view_kind === 3
const DONE = /^(done|completed?|finished|erledigt)$/i

/** Reads the buckets of the first kanban view, or those of projects before there were views. */
export function bucketsOf(project: Json, report: Report): Buckets {
  const views = objectsOf(project.views).filter(isKanban).toSorted(byPosition)
  const [view, ...others] = views
  const all = objectsOf(project.buckets)
  const own = all.filter(
    ({ project_view_id }) => !project_view_id || !view || project_view_id === view.id,
  )
  for (const { title } of others)
    report.lose('Another kanban view', `${stringOf(title)}: a board has one set of columns`)
  const doneId = stringOf(view?.done_bucket_id)
  const isDone = (bucket: Json) =>
    bucket.is_done_bucket === true || (doneId !== '' && stringOf(bucket.id) === doneId)
  const result: Buckets = {
    columns: [],
    byBucket: new Map(),
    byTask: new Map(),
    first: '',
    done: '',
  }
  for (const bucket of own.toSorted(byPosition)) addColumn(result, bucket, isDone(bucket))
  if (!result.columns.length) addColumn(result, { title: 'To do' }, false)
  const named = result.columns.findLast(({ title }) => DONE.test(title))
  if (!result.done && named) {
    named.done = true
    result.done = named.title
  } else if (!result.done) addColumn(result, { title: 'Done' }, true)
  result.first = result.byBucket.get(stringOf(view?.default_bucket_id)) ?? result.columns[0]!.title
  for (const { task_id, bucket_id } of objectsOf(project.task_buckets)) {
    const column = result.byBucket.get(stringOf(bucket_id))
    if (column) result.byTask.set(stringOf(task_id), column)
  }
  return result
}

function addColumn(buckets: Buckets, bucket: Json, isDone: boolean): void {
  const name = cut(stringOf(bucket.title) || 'Untitled', 190)
  const titles = new Set(buckets.columns.map(({ title }) => title))
  let title = name
  for (let number = 2; titles.has(title); number++) title = `${name} ${number}`
  const limit = numberOf(bucket.limit) ?? 0
  buckets.columns.push({
    title,
    done: isDone,
    ...(limit > 0 && { wip_limit: Math.min(Math.round(limit), 10_000) }),
  })
  if (bucket.id) buckets.byBucket.set(stringOf(bucket.id), title)
  if (isDone) buckets.done = title
}
