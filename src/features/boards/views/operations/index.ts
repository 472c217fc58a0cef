import { create, exportTasks, get, list, makeDefault, remove, tasks, update } from './views.ts'

export const operations = [
  list,
  get,
  tasks,
  exportTasks,
  create,
  update,
  remove,
  makeDefault,
] as const
