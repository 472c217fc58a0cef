import { t } from '../../messages/t.ts'

/** A running time, such as 0:07, 12:34 or 1:02:03. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(whole % 60)}`
    : `${minutes}:${twoDigits(whole % 60)}`
}

/** A duration, such as 1 h 30 min. */
export function durationText(seconds: number): string {
  const totalMinutes = Math.round(seconds / 60)
  const [hours, minutes] = [Math.floor(totalMinutes / 60), totalMinutes % 60]
  if (!hours)
    return seconds > 0 && !minutes
      ? t('timer.less_than_a_minute')
      : t('timer.minutes_min', { minutes })
  return minutes
    ? t('timer.hours_h_minutes_min', { hours, minutes })
    : t('common.hours_h', { hours })
}

const MAX_MINUTES = 1440
const FORMATS = [
  /^(?<hours>\d{1,2}):(?<minutes>[0-5]\d)$/,
  /^(?<hours>\d{1,2}(?:[.,]\d+)?)\s*(?:h|hours?|std)$/,
  /^(?:(?<hours>\d{1,2})\s*(?:h|hours?)\s*)?(?<minutes>\d{1,4})\s*(?:m|min|minutes?)?$/,
]

/** Parses a duration such as 90, 1h 30m, 1:30 or 1.5h into minutes; undefined if invalid. */
export function parseMinutes(text: string): number | undefined {
  const clean = text.trim().toLowerCase()
  for (const form of FORMATS) {
    const parts = form.exec(clean)?.groups
    if (!parts) continue
    const hours = Number((parts.hours ?? '0').replace(',', '.'))
    const minutes = Math.round(hours * 60) + Number(parts.minutes ?? 0)
    return minutes >= 1 && minutes <= MAX_MINUTES ? minutes : undefined
  }
  return undefined
}
