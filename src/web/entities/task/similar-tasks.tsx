import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryKeyOf } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { basePath } from '../../kit/base-path.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import './similar-tasks.css'

const TYPING_PAUSE_MS = 300
const MIN_SCORE = 0.6
const MAX_SHOWN = 3
/** More than are shown, because they are not sorted by their score. */
const FETCHED = 10
const STALE_MS = 30_000

interface Props {
  project_id: number
  title: string
}

/** Tasks of the board that may be the same as the one whose title is being typed. */
export default function SimilarTasks({ project_id, title }: Props) {
  const similar = useSimilarTasks(project_id, usePaused(title.trim()))
  if (!similar.length) return null
  return (
    <div className="similar-tasks">
      <span className="minor">{t('task.similar_tasks')}</span>
      <ul aria-label={t('task.similar_tasks')}>
        {similar.map(({ ticket_number, title: name, done }) => (
          <li key={ticket_number}>
            <a href={`${basePath}/t/${ticket_number}`} target="_blank" rel="noopener noreferrer">
              {done && <Icon name="done" label={t('common.done')} />}
              <span className="key">{ticket_number}</span>
              <span className="truncate" dir="auto">
                {name}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A text after no key was pressed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return text ? paused : ''
}

function useSimilarTasks(project_id: number, text: string) {
  const input = { project_id, text, limit: FETCHED }
  const { data = [] } = useQuery({
    queryKey: queryKeyOf('search.related', input),
    queryFn: ({ signal }) => callOperation('search.related', input, { signal }),
    staleTime: STALE_MS,
    retry: false,
    enabled: text !== '',
  })
  return data
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SHOWN)
}
