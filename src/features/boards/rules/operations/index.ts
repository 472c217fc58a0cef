import { create, get, list, remove, update } from './definitions.ts'
import { executions, preview } from './log.ts'
import { reference } from './reference.ts'

export { notify, plan, send } from './internal.ts'

export const operations = [
  list,
  get,
  create,
  update,
  remove,
  preview,
  executions,
  reference,
] as const
