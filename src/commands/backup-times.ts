import type { BackupSchedule } from '../config/parse.ts'

const HOUR_MS = 60 * 60 * 1000

/** The next time of a schedule after `now`. */
export function nextBackup(schedule: BackupSchedule, now: Date): Date {
  if ('hours' in schedule) {
    const step = schedule.hours * HOUR_MS
    return new Date((Math.floor(now.getTime() / step) + 1) * step)
  }
  const { minute } = schedule
  // The date counts days, so that a day of 23 or 25 hours has one backup too.
  const on = (date: number) =>
    new Date(now.getFullYear(), now.getMonth(), date, Math.floor(minute / 60), minute % 60)
  const today = on(now.getDate())
  return today > now ? today : on(now.getDate() + 1)
}
