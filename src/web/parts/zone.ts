/** None: that of the browser. */
let zone: string | undefined

/** Days and times are those of whoever is signed in, as the server counts theirs. */
export function liveIn(next: string | undefined) {
  zone = next
}

/** Words for a moment, as a clock or a calendar shows it where that person lives. */
export function inZone(locale: string | undefined, options: Intl.DateTimeFormatOptions) {
  let made: { zone: string | undefined; format: Intl.DateTimeFormat } | undefined
  return (date: Date): string => {
    if (!made || made.zone !== zone)
      made = { zone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }) }
    return made.format.format(date)
  }
}

/** Words for what names a day, which is the same in every zone. */
export function onDays(options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat | undefined
  return (date: Date): string => {
    made ??= new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
    return made.format(date)
  }
}

/** In Sweden: 2026-11-20 09:30:00. */
const wall = inZone('sv', { dateStyle: 'short', timeStyle: 'medium' })

/** A day as the server spells it: YYYY-MM-DD, the same wherever it is read. */
export type Day = string

export const dayOf = (date: Date): Day => wall(date).slice(0, 10)
/** HH:MM. */
export const timeOf = (date: Date) => wall(date).slice(11, 16)

const shift = (at: number) =>
  Date.parse(`${wall(new Date(at)).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000

/** That time of the day there, as the server spells moments. */
export function momentOf(day: Day, time: string): string {
  const meant = Date.parse(`${day}T${time}Z`)
  // The clock may be set between the two.
  const near = meant - shift(meant)
  return new Date(meant - shift(near)).toISOString()
}
