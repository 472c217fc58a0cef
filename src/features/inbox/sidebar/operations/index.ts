import { get, update } from './sidebar.ts'

export const operations = [get, update] as const
