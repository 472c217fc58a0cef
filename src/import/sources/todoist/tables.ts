import { firstOf, isObject, type Json, objectsOf } from '../shared/json.ts'

/** The tables of the Sync API that hold what a project consists of. */
export const TABLES = [
  'projects',
  'sections',
  'items',
  'notes',
  'project_notes',
  'labels',
  'collaborators',
] as const
export type Tables = Record<(typeof TABLES)[number], Json[]> & { user: Json }

/** Finds the tables in the answers of the Sync API, and in lists of the REST API. */
export function tablesIn(value: unknown): Tables {
  const tables: Tables = Object.assign(
    Object.fromEntries(TABLES.map((name) => [name, [] as Json[]])) as Omit<Tables, 'user'>,
    { user: {} },
  )
  collect(value, tables)
  return tables
}

function collect(value: unknown, tables: Tables): void {
  if (Array.isArray(value)) {
    for (const item of objectsOf(value)) tables[kindOf(item)].push(item)
    return
  }
  if (!isObject(value)) return
  for (const name of TABLES) tables[name].push(...objectsOf(value[name]))
  tables.items.push(...objectsOf(value.tasks))
  tables.notes.push(...objectsOf(value.comments))
  if (isObject(value.user)) tables.user = value.user
  if (Array.isArray(value.results)) collect(value.results, tables)
}

function kindOf(item: Json): (typeof TABLES)[number] {
  if (firstOf(item, 'posted_at', 'item_id', 'task_id')) return 'notes'
  if ('content' in item) return 'items'
  if (firstOf(item, 'project_id')) return 'sections'
  if ('email' in item) return 'collaborators'
  return 'view_style' in item || 'parent_id' in item ? 'projects' : 'labels'
}
