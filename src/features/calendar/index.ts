import { feeds, range, subscribe, unsubscribe } from './operations.ts'

export { calendarFeedLookup } from './feed-lookup.ts'
export { read as readCalendar } from './operations.ts'
export { calendarFeeds } from './tables.ts'

export const operations = [range, feeds, subscribe, unsubscribe] as const
