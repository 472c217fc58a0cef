import { add, get, list, react, remove, unreact, update } from './comments.ts'

export const operations = [list, get, add, update, remove, react, unreact] as const
