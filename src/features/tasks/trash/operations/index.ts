import { empty, remove } from './trash.ts'

export const operations = [remove, empty] as const
