import { useEffect, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { dueText } from '../../kit/dates.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import './understood.css'
import { t } from '../../messages/t.ts'
import { PRIORITIES } from './priority.tsx'
import { ruleText } from './rule-text.ts'
import {
  isReadable,
  type ParsedTitle,
  readingOf,
  type TitleLine,
  type TitlePart,
} from './understood.ts'

const PAUSE_MS = 200

/** How the server parses the title, while it is typed. */
function useParsedTitle(line: TitleLine) {
  const [title, setTitle] = useState(line.title)
  useEffect(() => {
    const timer = setTimeout(() => setTitle(line.title), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [line.title])
  const current = { ...line, title }
  const enabled = isReadable(current) && line.title.trim() !== ''
  const { data } = useOperation('my_tasks.add', readingOf(current), { enabled, keepPrevious: true })
  return enabled ? data?.understood : undefined
}

const ICONS: Record<TitlePart['means'], IconName> = {
  due_date: 'calendar',
  recurrence: 'repeat',
  priority: 'bars',
  estimate: 'expand',
  project_id: 'board',
  labels: 'tag',
  assignees: 'mine',
}

interface Props extends TitleLine {
  /** Called to keep a part in the title unparsed. */
  onKeep(part: TitlePart): void
}

/** A chip for each parsed part of the title. A click keeps it as plain text. */
export function ParsedChips({ onKeep, ...line }: Props) {
  const parsed = useParsedTitle(line)
  return (
    <p className="understood" aria-live="polite">
      {parsed?.parts.map((part) => (
        <button
          key={`${part.means} ${part.text}`}
          type="button"
          className="chip"
          aria-label={t('task.part_keep_text_in_the_title_instead', {
            part: partText(part, parsed),
            text: part.text,
          })}
          title={t('task.keep_text_in_the_title_instead', { text: part.text })}
          onClick={() => onKeep(part)}
        >
          <Icon name={ICONS[part.means]} />
          {partText(part, parsed)}
          <Icon name="close" />
        </button>
      ))}
    </p>
  )
}

function partText({ means, text }: TitlePart, parsed: ParsedTitle): string {
  if (means === 'due_date' && parsed.due_date) return dueText(parsed.due_date).short
  if (means === 'recurrence' && parsed.recurrence) return ruleText(parsed.recurrence)
  if (means === 'estimate') return t('task.size_name', { name: text.slice(1).toUpperCase() })
  if (means === 'priority') return PRIORITIES[parsed.priority] ?? text
  return means === 'project_id' ? parsed.project_title : text.replace(/^[#@]/, '')
}
