import { useAct, useAsk, useCache } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import type { Task } from './data.ts'
import { isGone, later, notGone } from './later.ts'
import { Part } from './part.tsx'

type Row = Output<'evidence.list'>['items'][number]

const KINDS: Record<Row['kind'], [IconName, string]> = {
  link: ['link', 'Link'],
  file: ['clip', 'File'],
  test_result: ['done', 'Test result'],
  note: ['comment', 'Note'],
}

/** What shows that the work was done, put there by whoever did it. */
export function Evidence({ task: { task_id } }: { task: Task }) {
  const list = useAsk('evidence.list', { task_id, limit: 50 })
  const remove = useRemove(task_id)
  const rows = (list.data?.items ?? []).filter((one) => !isGone(`evidence ${one.evidence_id}`))
  if (!rows.length) return <LoadError of={list} what="evidence" />
  return (
    <Part title="Evidence" count={String(rows.length)}>
      <ul className="others">
        {rows.map((row) => (
          <Line key={row.evidence_id} row={row} onRemove={() => remove(row)} />
        ))}
      </ul>
    </Part>
  )
}

function Line({ row, onRemove }: { row: Row; onRemove(): void }) {
  const { kind, summary, url, attachment, created_by, created_at } = row
  const [icon, name] = KINDS[kind]
  const { short, full } = agoWords(created_at)
  const address = url ?? attachment?.url
  return (
    <li className="other proof">
      <Icon name={icon} label={name} />
      <span className="what">
        {address ? (
          <a href={address} target="_blank" rel="noopener noreferrer">
            {summary}
          </a>
        ) : (
          summary
        )}
        {attachment && <span className="soft"> {attachment.filename}</span>}
      </span>
      <span className="soft by">
        {created_by.name},{' '}
        <time dateTime={created_at} title={full}>
          {short}
        </time>
      </span>
      <button type="button" className="button quiet only" onClick={onRemove}>
        <Icon name="trash" label={`Delete the evidence: ${summary}`} />
      </button>
    </li>
  )
}

function useRemove(task_id: number) {
  const cache = useCache()
  const again = () => void cache.invalidateQueries({ queryKey: ['evidence.list', { task_id }] })
  const { act } = useAct('evidence.delete', {
    done: again,
    failed(error, { evidence_id }) {
      notGone(`evidence ${evidence_id}`)
      again()
      complain(wordsOf(error))
    },
  })
  return ({ evidence_id }: Row) => {
    later({
      ...{ what: `evidence ${evidence_id}`, words: 'Deleted the evidence', back: again },
      run: () => act({ task_id, evidence_id }),
    })
    again()
  }
}
