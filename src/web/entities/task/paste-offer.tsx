import { useEffect, useRef } from 'react'
import { t } from '../../messages/t.ts'
import { countLines, MAX_PASTED_LINES, type PastedLine } from './pasted-lines.ts'
import './paste-offer.css'

interface Props {
  lines: readonly PastedLine[]
  onMany(): void
  onOne(): void
  onCancel(): void
}

const SHOWN = 3

/** Asks what a pasted text of several lines becomes: a task for each line, or one with the text. */
export function PasteOffer({ lines, onMany, onOne, onCancel }: Props) {
  const first = useRef<HTMLButtonElement>(null)
  const count = countLines(lines)
  const isTooMany = count > MAX_PASTED_LINES
  useEffect(() => first.current?.focus(), [])
  return (
    <fieldset
      className="paste-offer"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <legend>{t('task.pasted_lines', { count })}</legend>
      <ul>
        {lines.slice(0, SHOWN).map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
          <li key={index} className="truncate" dir="auto">
            {title}
          </li>
        ))}
        {lines.length > SHOWN && <li className="soft">…</li>}
      </ul>
      <div className="flex-wrap">
        {!isTooMany && (
          <button ref={first} type="button" className="button main" onClick={onMany}>
            {t('task.create_tasks', { count })}
          </button>
        )}
        <button
          {...(isTooMany && { ref: first })}
          type="button"
          className="button plain"
          onClick={onOne}
        >
          {t('task.one_task_with_the_text')}
        </button>
        <button type="button" className="button quiet" onClick={onCancel}>
          {t('common.cancel')}
        </button>
      </div>
    </fieldset>
  )
}
