import { useEffect, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { ruleText } from '../../entities/task/rule-text.ts'
import { dueText } from '../../kit/dates.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'

export type ParsedTitle = NonNullable<Output<'my_tasks.add'>['understood']>
export type TitlePart = ParsedTitle['parts'][number]

const PAUSE_MS = 200

interface TitleLine {
  title: string
  view_id: string | undefined
  project_id: number | undefined
}

/** How the server parses the title, while it is typed. */
function useParsedTitle({ title, view_id, project_id }: TitleLine) {
  const [text, setText] = useState(title)
  useEffect(() => {
    const timer = setTimeout(() => setText(title), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [title])
  const line = text.trim()
  // A single word is never parsed.
  const enabled = line.includes(' ') && title.trim() !== ''
  const { data } = useOperation(
    'my_tasks.add',
    {
      ...{ title: line, natural: true, dry_run: true },
      ...(view_id && { view_id }),
      ...(project_id && { project_id }),
    },
    { enabled, keepPrevious: true },
  )
  return enabled ? data?.understood : undefined
}

const ICONS: Record<TitlePart['means'], IconName> = {
  due_date: 'calendar',
  recurrence: 'repeat',
  priority: 'bars',
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
    <p className="chips" aria-live="polite">
      {parsed?.parts.map((part) => (
        <button
          key={`${part.means} ${part.text}`}
          type="button"
          className="chip"
          aria-label={t('mine.part_keep_text_in_the_title_instead', {
            part: partText(part, parsed),
            text: part.text,
          })}
          title={t('mine.keep_text_in_the_title_instead', { text: part.text })}
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
  if (means === 'priority') return parsed.priority_name
  return means === 'project_id' ? parsed.project_title : text.replace(/^[#@]/, '')
}
