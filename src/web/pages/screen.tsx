import { Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Refused, wordsOf } from '../data/client.ts'
import { useTabName } from '../frame/title.ts'
import { WayOn } from '../parts/missing.tsx'
import { part } from '../parts/part.ts'
import { useTask } from '../task/data.ts'
import '../task/part.css'
import '../task/talk.css'
import '../task/task.css'
import { isUnknown, refOf, usePage, useTaskPages } from './data.ts'
import { Fresh } from './fresh.tsx'
import { useTaskOf } from './head.tsx'
import './pages.css'
import './print.css'
import { Sheet } from './sheet.tsx'

const Versions = part(() => import('./versions.tsx'))

const NOWHERE = new Refused(404, 'A page is begun on a task')

/** A page with the whole screen to itself; `new` is one that is still to be saved. */
export default function Page({ page_id }: { page_id: string }) {
  const [query] = useSearchParams()
  if (page_id !== 'new') return <Found page_id={refOf(page_id)} />
  const ticket = query.get('on')
  return ticket ? (
    <NewOne key={String(query)} ticket={ticket} />
  ) : (
    <Coming what="task" error={NOWHERE} />
  )
}

function Found({ page_id }: { page_id: number | string }) {
  const { data: page, error } = usePage(page_id)
  const [query] = useSearchParams()
  const isWhole = useWhole(page?.task_id ?? 0)
  useTabName(page?.title)
  useEffect(() => {
    const timer = setTimeout(Versions.ahead, LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!page || !isWhole) return <Coming what="page" error={error} />
  const version = query.get('version')
  return version === null ? (
    <Sheet page={page} />
  ) : (
    <Suspense>
      <Versions page={page} chosen={Number(version)} against={Number(query.get('against'))} />
    </Suspense>
  )
}

/** Whether all that stands beside the text is there too, so that nothing moves for it. */
function useWhole(task_id: number): boolean {
  const asked = [useTaskPages(task_id), useTaskOf(task_id)]
  return asked.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
}

function NewOne({ ticket }: { ticket: string }) {
  const { task, error } = useTask(ticket)
  useTabName('New page')
  return task ? <Fresh task={task} /> : <Coming what="task" error={error} />
}

const WAIT_MS = 300
/** By then the page is there, and its versions are likely to be looked at. */
const LATER_MS = 1000

/** The shape of a page that is on its way, or why it does not come. */
function Coming({ what, error }: { what: 'page' | 'task'; error: Error | null }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  if (error)
    return (
      <div className="task sheet">
        <div className="missing" role="alert">
          <h1>{isUnknown(error) ? `There is no such ${what} here` : 'This cannot be shown'}</h1>
          <p>
            {isUnknown(error)
              ? 'It may be on a board that you cannot see, or its address is another one.'
              : wordsOf(error)}
          </p>
          <WayOn isUnknown={isUnknown(error)} error={error} />
        </div>
      </div>
    )
  return (
    <div className="task sheet" aria-busy="true">
      {isLate && (
        <div className="task-body shape" role="status">
          <span className="unseen">Loading the page</span>
          <i />
          <i />
          <i />
        </div>
      )}
    </div>
  )
}
