import { create, get, list, remove, update } from './reports.ts'

export const operations = [list, get, create, update, remove] as const
