export { calendarFeedLookup } from './feed-lookup.ts'
export { calendarFeeds } from './tables.ts'
