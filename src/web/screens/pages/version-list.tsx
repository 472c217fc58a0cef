import { type KeyboardEvent, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Version } from '../../entities/page/data.ts'
import { agoText } from '../../kit/dates.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  page_id: number
  /** The version number. */
  selected: number
  onChoose(version: number): void
}

/** The versions of a page, newest first, page by page. */
export function VersionList({ page_id, selected, onChoose }: Props) {
  const [cursors, setCursors] = useState<readonly string[]>([''])
  return (
    <section className="list" aria-label={t('common.versions')}>
      <h2>{t('common.versions')}</h2>
      <ol onKeyDown={handleArrowKeys}>
        {cursors.map((cursor, index) => (
          <VersionPage
            key={cursor}
            {...{ page_id, cursor, selected, onChoose }}
            onMore={
              index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined
            }
          />
        ))}
      </ol>
    </section>
  )
}

/** The arrow keys focus and select the previous or next version. */
function handleArrowKeys(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button.one')]
  const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + step]
  next?.focus()
  next?.click()
}

interface VersionPageProps extends Props {
  cursor: string
  onMore: ((cursor: string) => void) | undefined
}

function VersionPage({ page_id, cursor, selected, onChoose, onMore }: VersionPageProps) {
  const list = useOperation('pages.versions', { page_id, limit: 50, ...(cursor && { cursor }) })
  const { data } = list
  if (!data)
    return (
      <li>
        <LoadError of={list} what={t('common.versions_inline')} />
      </li>
    )
  const next = data.page.next_cursor
  return (
    <>
      {data.items.map((row) => (
        <li key={row.version_id}>
          <VersionButton {...{ row, onChoose }} isSelected={row.version === selected} />
        </li>
      ))}
      {next && onMore && (
        <li>
          <button type="button" className="button quiet" onClick={() => onMore(next)}>
            {t('pages.show_earlier_versions')}
          </button>
        </li>
      )}
    </>
  )
}

interface VersionButtonProps {
  row: Version
  isSelected: boolean
  onChoose(version: number): void
}

function VersionButton({ row, isSelected, onChoose }: VersionButtonProps) {
  const { version, author, created_at, note, current, added, removed } = row
  const { short, full } = agoText(created_at)
  return (
    <button
      type="button"
      className="one"
      aria-pressed={isSelected}
      title={full}
      onClick={() => onChoose(version)}
    >
      <b>
        {t('pages.version_version', { version })}
        {current && <span className="now"> {t('pages.current')}</span>}
      </b>
      <span className="soft">
        {author.name}, {short}
      </span>
      <span className="size tabular soft">
        +{added} −{removed}
        <span className="unseen"> {t('pages.characters')}</span>
      </span>
      {note && (
        <span className="why" dir="auto">
          {note}
        </span>
      )}
    </button>
  )
}
