import { setViewDisplay } from './display.ts'
import {
  create,
  exportTasks,
  get,
  list,
  makeDefault,
  matches,
  remove,
  tasks,
  update,
} from './views.ts'

export const operations = [
  list,
  get,
  tasks,
  matches,
  exportTasks,
  create,
  update,
  remove,
  makeDefault,
  setViewDisplay,
] as const
