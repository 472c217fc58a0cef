import { remove } from './delete.ts'
import { create, list } from './sections.ts'
import { get, update } from './update.ts'

export const operations = [get, update, remove, list, create] as const
