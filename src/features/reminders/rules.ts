/** So long before it is due a task is due soon. */
export const SOON_MS = 24 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** What `reminded` counts up to once each was told. */
export const TOLD = { due_soon: 1, overdue: 2 } as const
export type Reminder = keyof typeof TOLD

interface Due {
  reminded: 0 | 1 | 2
  due_at: Date | null
}

/** What is to be told of an open task now; of one that is late from the first, only that. */
export function reminderOf({ reminded, due_at }: Due, now: Date): Reminder | undefined {
  if (!due_at) return undefined
  if (due_at < now) return reminded < TOLD.overdue ? 'overdue' : undefined
  const isSoon = due_at.getTime() - now.getTime() <= SOON_MS
  return isSoon && reminded < TOLD.due_soon ? 'due_soon' : undefined
}

/** The latest moment at which a finished task was touched, if it has been left alone since. */
export const leftSince = (days: number, now: Date) => new Date(now.getTime() - days * DAY_MS)
