import { Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useTask } from '../../entities/task/data.ts'
import { ApiError, errorText } from '../../kit/errors.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { RecoveryAction } from '../../kit/recovery-action.tsx'
import { useTabName } from '../../kit/title.ts'
import { t } from '../../messages/t.ts'
import '../../entities/task/sections.css'
import '../../entities/task/comments.css'
import '../../entities/task/task.css'
import { isUnknown, parsePageId, usePage, useTaskPages } from '../../entities/page/data.ts'
import { usePageTask } from './head.tsx'
import { NewPageEditor } from './new-page-editor.tsx'
import './pages.css'
import './print.css'
import { PageView } from './page-view.tsx'

const Versions = lazyComponent(() => import('./versions.tsx'))

const NO_TASK = new ApiError(404, t('pages.pages_belong_to_a_task_open_a'))

/** The screen of a page; `new` is a page that is not saved yet. */
export default function Page({ page_id }: { page_id: string }) {
  const [query] = useSearchParams()
  if (page_id !== 'new') return <SavedPage page_id={parsePageId(page_id)} />
  const ticket = query.get('on')
  return ticket ? (
    <UnsavedPage key={String(query)} ticket={ticket} />
  ) : (
    <PageSkeleton kind="task" error={NO_TASK} />
  )
}

function SavedPage({ page_id }: { page_id: number | string }) {
  const { data: page, error } = usePage(page_id)
  const [query] = useSearchParams()
  const isLoaded = useIsLoaded(page?.task_id ?? 0)
  useTabName(page?.title)
  useEffect(() => {
    const timer = setTimeout(Versions.preload, PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!page || !isLoaded) return <PageSkeleton kind="page" error={error} />
  const version = query.get('version')
  return version === null ? (
    <PageView page={page} />
  ) : (
    <Suspense>
      <Versions
        page={page}
        requested={Number(version)}
        requestedBase={Number(query.get('against'))}
      />
    </Suspense>
  )
}

/** Whether the content around the text has loaded too, so that nothing moves later. */
function useIsLoaded(task_id: number): boolean {
  const queries = [useTaskPages(task_id), usePageTask(task_id)]
  return queries.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
}

function UnsavedPage({ ticket }: { ticket: string }) {
  const { task, error } = useTask(ticket)
  useTabName(t('pages.new_page'))
  return task ? <NewPageEditor task={task} /> : <PageSkeleton kind="task" error={error} />
}

const DELAY_MS = 300
/** By then the page has loaded, and its versions are likely to be opened. */
const PRELOAD_MS = 1000

/** A placeholder while the page loads, or the error if it cannot be loaded. */
function PageSkeleton({ kind, error }: { kind: 'page' | 'task'; error: Error | null }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  if (error)
    return (
      <div className="task sheet fill">
        <div className="missing" role="alert">
          <h1>
            {isUnknown(error)
              ? t('pages.what_not_found', { kind })
              : t('pages.could_not_load_the_what', { kind })}
          </h1>
          <p>{isUnknown(error) ? t('pages.the_url_may_be_wrong_or_you') : errorText(error)}</p>
          <RecoveryAction isUnknown={isUnknown(error)} error={error} />
        </div>
      </div>
    )
  return (
    <div className="task sheet fill" aria-busy="true">
      {isSlow && (
        <div className="task-body scroller shape" role="status">
          <span className="unseen">{t('common.loading')}</span>
          <i />
          <i />
          <i />
        </div>
      )}
    </div>
  )
}
