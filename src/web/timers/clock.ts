/** 0:07, 12:34 or 1:02:03, as a clock counts. */
export function ticked(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (number: number) => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** 1 h 30 min. */
export function spent(seconds: number): string {
  const all = Math.round(seconds / 60)
  const [hours, minutes] = [Math.floor(all / 60), all % 60]
  if (!hours) return seconds > 0 && !minutes ? 'less than a minute' : `${minutes} min`
  return minutes ? `${hours} h ${minutes} min` : `${hours} h`
}

const MOST = 1440
const WRITTEN = [
  /^(?<hours>\d{1,2}):(?<minutes>[0-5]\d)$/,
  /^(?<hours>\d{1,2}(?:[.,]\d+)?)\s*(?:h|hours?|std)$/,
  /^(?:(?<hours>\d{1,2})\s*(?:h|hours?)\s*)?(?<minutes>\d{1,4})\s*(?:m|min|minutes?)?$/,
]

/** Minutes as somebody writes them: 90, 1h 30m, 1:30 or 1.5h; nothing where that is none. */
export function minutesIn(text: string): number | undefined {
  const clean = text.trim().toLowerCase()
  for (const form of WRITTEN) {
    const found = form.exec(clean)?.groups
    if (!found) continue
    const hours = Number((found.hours ?? '0').replace(',', '.'))
    const minutes = Math.round(hours * 60) + Number(found.minutes ?? 0)
    return minutes >= 1 && minutes <= MOST ? minutes : undefined
  }
  return undefined
}
