import { apply, create, list, remove } from './templates.ts'

export const operations = [list, create, remove, apply] as const
