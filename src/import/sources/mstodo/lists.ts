import { isObject, type Json, objectsOf, stringOf } from '../shared/json.ts'

export interface TodoList {
  list: Json
  tasks: Json[]
}

/** The lists in the answers of Microsoft Graph, and in files that hold lists with their tasks. */
export function listsIn(value: unknown): TodoList[] {
  const items = itemsIn(value)
  const lists = items.filter((item) => 'displayName' in item)
  const loose = items.filter((item) => 'title' in item)
  const found = lists.map((list) => ({ list, tasks: tasksIn(list) }))
  const byId = new Map(found.map((one) => [stringOf(one.list.id), one]))
  for (const group of items.filter((item) => 'listTasks' in item))
    byId.get(stringOf(group.listId))?.tasks.push(...objectsOf(group.listTasks))
  const rest = loose.filter((task) => {
    const owner = byId.get(stringOf(task.listId) || stringOf(task.taskListId))
    owner?.tasks.push(task)
    return !owner
  })
  return rest.length ? [...found, { list: {}, tasks: rest }] : found
}

const tasksIn = (list: Json): Json[] => [
  ...objectsOf(list.tasks),
  ...(isObject(list.tasks) ? objectsOf(list.tasks.value) : []),
]

function itemsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return objectsOf(value)
  if (!isObject(value)) return []
  if ('displayName' in value && 'tasks' in value) return [value]
  return [value.value, value.lists, value.tasks, value.taskLists].flatMap(itemsIn)
}

/** The names of annotations have dots (`@odata.etag`), which separate the names in a path of a field. */
export const groupAnnotations = (item: Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name.replace(/^.*@odata\..*$/, '@odata'), value]),
  )
