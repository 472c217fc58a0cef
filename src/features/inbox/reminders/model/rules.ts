/** A task is due soon from this long before its due date. */
export const SOON_MS = 24 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** The value of `reminded` after each reminder. */
export const REMINDED = { due_soon: 1, overdue: 2 } as const
export type Reminder = keyof typeof REMINDED

interface Due {
  reminded: 0 | 1 | 2
  due_at: Date | null
}

/** The reminder that an open task needs now. An overdue task gets no `due_soon` reminder first. */
export function reminderOf({ reminded, due_at }: Due, now: Date): Reminder | undefined {
  if (!due_at) return undefined
  if (due_at < now) return reminded < REMINDED.overdue ? 'overdue' : undefined
  const isSoon = due_at.getTime() - now.getTime() <= SOON_MS
  return isSoon && reminded < REMINDED.due_soon ? 'due_soon' : undefined
}

/** A finished task counts as untouched if its last change is before this. */
export const untouchedBefore = (days: number, now: Date) => new Date(now.getTime() - days * DAY_MS)
