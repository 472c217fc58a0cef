export { calendarFeedLookup } from './feed-lookup.ts'
export { repeatsOf } from './read.ts'
export type { Repeat } from './rules.ts'
export { calendarFeeds } from './tables.ts'
