import { create, get, list, remove, update } from './drafts.ts'
import { preview } from './preview.ts'
import { publish } from './publish.ts'

export const operations = [create, list, get, update, publish, remove, preview] as const
