import { create, list, remove } from './evidence.ts'

export const operations = [create, list, remove] as const
