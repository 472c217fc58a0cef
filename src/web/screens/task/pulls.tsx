import { useOperation } from '../../data/cache.ts'
import type { Task } from '../../entities/task/data.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { Row } from './row.tsx'

/** Pull requests with their state and checks. */
export function PullRows({ task }: { task: Task }) {
  const list = useOperation(
    'pull_requests.list',
    { task_id: task.task_id },
    { enabled: task.pr_badge !== null },
  )
  const pulls = list.data?.items ?? []
  if (!pulls.length) return <LoadError of={list} what={t('task.pull_requests')} />
  return (
    <Row name={pulls.length > 1 ? t('common.pull_requests') : t('task.pull_request')}>
      <ul className="pulls">
        {pulls.map(({ pull_request_id, url, title, state, checks, review, preview_url }) => (
          <li key={pull_request_id}>
            <a href={url} target="_blank" rel="noopener noreferrer">
              {title ?? url.replace(/^https?:\/\//, '')}
            </a>
            <span className={`tag pr ${state} ${checks}`}>
              {t('task.state_checks_checks', {
                checks,
                state: t('task.pull_state', { state }),
              })}
            </span>
            {review !== 'none' && (
              <span className={`tag pr ${review === 'approved' ? 'passing' : 'failing'}`}>
                {review === 'approved' ? t('code.approved') : t('code.changes_requested')}
              </span>
            )}
            {preview_url && (
              <a className="tag" href={preview_url} target="_blank" rel="noopener noreferrer">
                {t('code.preview')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Row>
  )
}
