import { executions, preview } from './log.ts'
import { create, get, list, remove, update } from './definitions.ts'

export { notify, plan, send } from './internal.ts'

export const operations = [list, get, create, update, remove, preview, executions] as const
