import { feeds, range, subscribe, unsubscribe } from './calendar.ts'

export { read as readCalendar } from './calendar.ts'

export const operations = [range, feeds, subscribe, unsubscribe] as const
