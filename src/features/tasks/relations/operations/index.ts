import { create, list, remove } from './relations.ts'

export const operations = [create, list, remove] as const
