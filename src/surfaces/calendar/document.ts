import { type Entry, eventsOf } from './event.ts'
import { escapeText, line } from './lines.ts'
import { type Span, timeZone } from './zones.ts'

interface CalendarInfo {
  title: string
  host: string
  version: string
}

/**
 * An iCalendar document that is built in portions. It uses no library, because those build a
 * document in one piece and need another library for time zones.
 */
export class Document {
  private readonly events: string[] = []
  private readonly spans = new Map<string, Span>()
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
    const { repeat } = entry
    if (repeat?.begins.includes('T')) this.extendSpan(repeat.time_zone, repeat.begins)
  }

  private extendSpan(zone: string, begins: string) {
    const at = Temporal.PlainDateTime.from(begins)
    const { first, last } = this.spans.get(zone) ?? { first: at, last: at }
    const compare = Temporal.PlainDateTime.compare
    this.spans.set(zone, {
      zone,
      first: compare(at, first) < 0 ? at : first,
      last: compare(at, last) > 0 ? at : last,
    })
  }

  text(): string {
    const { title, version } = this.info
    const name = escapeText(title)
    return [
      line('BEGIN:VCALENDAR'),
      line('VERSION:2.0'),
      line(`PRODID:-//Corkboard//Corkboard ${version}//EN`),
      line('CALSCALE:GREGORIAN'),
      line(`NAME:${name}`),
      line(`X-WR-CALNAME:${name}`),
      line('REFRESH-INTERVAL;VALUE=DURATION:PT1H'),
      line('X-PUBLISHED-TTL:PT1H'),
      ...[...this.spans.values()].map(timeZone),
      ...this.events,
      line('END:VCALENDAR'),
    ].join('')
  }
}
