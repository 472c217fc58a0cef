import { get, update } from './team-policy.ts'

export const operations = [get, update] as const
