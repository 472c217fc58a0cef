import { type Entry, eventsOf } from './event.ts'
import { escaped, line } from './lines.ts'
import { type Span, timeZone } from './zones.ts'

interface About {
  title: string
  host: string
  version: string
}

/**
 * A calendar, written portion by portion. It is written by hand: what a library makes of it, it
 * makes in one piece, and of local times only with another library of zones.
 */
export class Document {
  private readonly events: string[] = []
  private readonly spans = new Map<string, Span>()
  private readonly told = new Set<number>()

  constructor(private readonly about: About) {}

  get many() {
    return this.told.size
  }

  /** A task that was moved between two portions stands in both, and is told of once. */
  add(entry: Entry) {
    if (this.told.has(entry.task_id)) return
    this.told.add(entry.task_id)
    this.events.push(eventsOf(entry, this.about.host))
    const { repeat } = entry
    if (repeat?.begins.includes('T')) this.reach(repeat.time_zone, repeat.begins)
  }

  private reach(zone: string, begins: string) {
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
    const { title, version } = this.about
    const name = escaped(title)
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
