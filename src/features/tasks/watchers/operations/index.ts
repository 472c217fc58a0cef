import { get, unwatch, watch } from './watchers.ts'

export const operations = [get, watch, unwatch] as const
