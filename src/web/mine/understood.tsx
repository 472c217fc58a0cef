import { useEffect, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import { dueWords } from '../parts/dates.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

export type Understood = NonNullable<Output<'my_tasks.add'>['understood']>
export type Part = Understood['parts'][number]

const PAUSE_MS = 200

interface Line {
  title: string
  view_id: string | undefined
  project_id: number | undefined
}

/** What the server would make of a line, while it is typed. */
function useUnderstood({ title, view_id, project_id }: Line) {
  const [text, setText] = useState(title)
  useEffect(() => {
    const timer = setTimeout(() => setText(title), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [title])
  const line = text.trim()
  // One word is a title and nothing else.
  const enabled = line.includes(' ') && title.trim() !== ''
  const { data } = useAsk(
    'my_tasks.add',
    {
      ...{ title: line, natural: true, dry_run: true },
      ...(view_id && { view_id }),
      ...(project_id && { project_id }),
    },
    { enabled, keep: true },
  )
  return enabled ? data?.understood : undefined
}

const ICONS: Record<Part['means'], IconName> = {
  due_date: 'calendar',
  recurrence: 'repeat',
  priority: 'bars',
  project_id: 'board',
  labels: 'tag',
  assignees: 'mine',
}

interface Props extends Line {
  /** The words are to stay in the title. */
  onKeep(part: Part): void
}

/** One chip for each piece of the line that means something; pressed, it means nothing more. */
export function Chips({ onKeep, ...line }: Props) {
  const got = useUnderstood(line)
  return (
    <p className="chips" aria-live="polite">
      {got?.parts.map((part) => (
        <button
          key={`${part.means} ${part.text}`}
          type="button"
          className="chip"
          aria-label={`${wordsFor(part, got)}: keep “${part.text}” in the title instead`}
          title={`Keep “${part.text}” in the title instead`}
          onClick={() => onKeep(part)}
        >
          <Icon name={ICONS[part.means]} />
          {wordsFor(part, got)}
          <Icon name="close" />
        </button>
      ))}
    </p>
  )
}

function wordsFor({ means, text }: Part, got: Understood): string {
  if (means === 'due_date' && got.due_date) return dueWords(got.due_date).short
  if (means === 'recurrence' && got.recurrence) return got.recurrence
  if (means === 'priority') return got.priority_name
  return means === 'project_id' ? got.project_title : text.replace(/^[#@]/, '')
}
