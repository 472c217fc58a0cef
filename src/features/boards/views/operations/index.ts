import { setViewDisplay } from './display.ts'
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
  setViewDisplay,
] as const
