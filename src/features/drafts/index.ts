import { create, get, list, remove, update } from './operations.ts'
import { preview } from './preview.ts'
import { publish } from './publish.ts'

export { drafts } from './tables.ts'

export const operations = [create, list, get, update, publish, remove, preview] as const
