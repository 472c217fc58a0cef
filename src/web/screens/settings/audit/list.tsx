import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { agoText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { useNextPage } from '../../../kit/next-page.ts'
import { withoutScrollAdjustment } from '../../../kit/virtualizer.ts'
import { t } from '../../../messages/t.ts'
import type { useAudit } from './data.ts'
import { describeEntry, type Entry, formatValue, sourceText } from './texts.ts'

interface Props {
  entries: readonly Entry[]
  list: ReturnType<typeof useAudit>['list']
}

const HEIGHT = 57
/** The number of rows before the end at which the next page loads. */
const PREFETCH_ROWS = 20

/** The virtualized list of entries. */
export function List({ entries, list }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const virtual = withoutScrollAdjustment(
    useVirtualizer({
      count: entries.length,
      getScrollElement: () => scroller.current,
      getItemKey: (index) => entries[index]!.audit_id,
      estimateSize: () => HEIGHT,
      overscan: 10,
    }),
  )
  const visible = virtual.getVirtualItems()
  const isNear = (visible.at(-1)?.index ?? 0) >= entries.length - PREFETCH_ROWS
  useNextPage(list, isNear)
  const toggle = (id: number) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <section
      className="entries"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keys
      tabIndex={0}
      aria-label={t('settings.audit_log_entries')}
    >
      <ol style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, key, start }) => {
          const entry = entries[index]!
          return (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              <EntryRow entry={entry} open={open.has(entry.audit_id)} onToggle={toggle} />
            </li>
          )
        })}
      </ol>
      <LoadError of={list} what={t('settings.more_entries')} />
    </section>
  )
}

interface EntryRowProps {
  entry: Entry
  open: boolean
  onToggle(id: number): void
}

/** An entry, with its details on request. */
function EntryRow({ entry, open, onToggle }: EntryRowProps) {
  const { audit_id, actor, created_at } = entry
  const { short, full } = agoText(created_at)
  return (
    <article className={open ? 'open' : ''}>
      <button
        type="button"
        className="opener"
        aria-expanded={open}
        onClick={() => onToggle(audit_id)}
      >
        <span aria-hidden="true">
          <Avatar actor={actor} />
        </span>
        <span className="detail">
          <span>
            <b>{actor.name}</b> {describeEntry(entry)}
          </span>
          <span className="soft from">{sourceText(entry)}</span>
        </span>
        <time className="soft" dateTime={created_at} title={full}>
          {short}
        </time>
        <Icon name="chevron" />
      </button>
      {open && <Details entry={entry} timeText={full} />}
    </article>
  )
}

function Details({ entry, timeText }: { entry: Entry; timeText: string }) {
  const { type, team_id, project_id, changed, details, on, credential, address } = entry
  const rows: [string, unknown][] = [
    [t('settings.when'), timeText],
    [t('settings.event_type'), type],
    ...(on ? [[t('settings.target'), on.agent_id ?? on.name] as [string, unknown]] : []),
    ...(credential ? [[t('settings.credential'), credential] as [string, unknown]] : []),
    ...(address ? [[t('settings.address'), address] as [string, unknown]] : []),
    ...(project_id ? [[t('common.board'), project_id] as [string, unknown]] : []),
    ...(team_id ? [[t('common.team'), team_id] as [string, unknown]] : []),
    ...Object.entries(details).map(([name, value]): [string, unknown] => [labelOf(name), value]),
  ]
  return (
    <dl>
      {Object.entries(changed).map(([name, { before, after }]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            <del>{formatValue(before)}</del> <Icon name="arrow" label={t('settings.changed_to')} />{' '}
            <ins>{formatValue(after)}</ins>
          </dd>
        </div>
      ))}
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatValue(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const labelOf = (name: string) => {
  const spacedName = name.replaceAll('_', ' ')
  return spacedName.charAt(0).toUpperCase() + spacedName.slice(1)
}
