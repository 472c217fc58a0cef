import { type Entry, eventsOf, type Repeat } from './event.ts'
import { escapeText, line } from './lines.ts'
import { type Span, timeZone } from './zones.ts'

export interface CalendarInfo {
  title: string
  host: string
  version: string
}

/** The first lines of an iCalendar document. */
export function heading({ title, version }: CalendarInfo): string {
  const name = escapeText(title)
  return [
    line('BEGIN:VCALENDAR'),
    line('VERSION:2.0'),
    line(`PRODID:-//Corkboard//Corkboard ${version}//EN`),
    line('CALSCALE:GREGORIAN'),
    line(`NAME:${name}`),
    line(`X-WR-CALNAME:${name}`),
  ].join('')
}

export const END = line('END:VCALENDAR')

/** The time zones that the repeat rules of a document name. */
export class TimeZones {
  private readonly spans = new Map<string, Span>()

  add(repeat: Repeat | null) {
    if (!repeat?.begins.includes('T')) return
    const { time_zone: zone, begins } = repeat
    const at = Temporal.PlainDateTime.from(begins)
    const { first, last } = this.spans.get(zone) ?? { first: at, last: at }
    const compare = Temporal.PlainDateTime.compare
    this.spans.set(zone, {
      zone,
      first: compare(at, first) < 0 ? at : first,
      last: compare(at, last) > 0 ? at : last,
    })
  }

  text = () => [...this.spans.values()].map(timeZone).join('')
}

/**
 * The document of a feed, built in portions. It uses no library, because those build a document in
 * one piece and need another library for time zones.
 */
export class Document {
  private readonly events: string[] = []
  private readonly zones = new TimeZones()
  private readonly taskIds = new Set<number>()

  constructor(private readonly info: CalendarInfo) {}

  get eventCount() {
    return this.taskIds.size
  }

  /** Adds a task once, even if it is in two portions because it moved between them. */
  add(entry: Entry) {
    if (this.taskIds.has(entry.task_id)) return
    this.taskIds.add(entry.task_id)
    this.events.push(eventsOf(entry, this.info.host))
    this.zones.add(entry.repeat)
  }

  text(): string {
    return [
      heading(this.info),
      line('REFRESH-INTERVAL;VALUE=DURATION:PT1H'),
      line('X-PUBLISHED-TTL:PT1H'),
      this.zones.text(),
      ...this.events,
      END,
    ].join('')
  }
}
