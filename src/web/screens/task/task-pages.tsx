import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type PageRow, unarchivePage, useTaskPages } from '../../entities/page/data.ts'
import { NewPage } from '../../entities/page/new-page.tsx'
import { originState } from '../../entities/page/origin.ts'
import { FlatList, Tree } from '../../entities/page/tree.tsx'
import type { Task } from '../../entities/task/data.ts'
import { storageName } from '../../kit/base-path.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { Menu } from '../../kit/menu.tsx'
import { rich, t } from '../../messages/t.ts'
import { DetailSection } from './detail-section.tsx'

const STORAGE_KEY = storageName('pages-flat')

/** Whether pages are shown as a flat list, remembered in this browser. */
function useFlat() {
  const [isFlat, setFlat] = useState(() => {
    try {
      return localStorage.getItem(STORAGE_KEY) !== null
    } catch {
      return false
    }
  })
  const toggle = () => {
    setFlat(!isFlat)
    try {
      if (isFlat) localStorage.removeItem(STORAGE_KEY)
      else localStorage.setItem(STORAGE_KEY, '1')
    } catch {
      // Storage may be full or disabled; the choice then lasts until a reload.
    }
  }
  return [isFlat, toggle] as const
}

interface Props {
  task: Task
  requested: boolean
  /** Shown until the pages have loaded. */
  placeholder: ReactNode
}

/** The pages of a task, as a tree or by their last change. */
export default function TaskPages({ task, requested, placeholder }: Props) {
  const { task_id, ticket_number, status } = task
  const list = useTaskPages(task_id)
  const { data: pages = [], isPending } = list
  const [isFlat, toggle] = useFlat()
  const [showsArchived, setShowsArchived] = useState(false)
  if (isPending) return placeholder
  if (!pages.length && !requested && !showsArchived)
    return <LoadError of={list} what={t('task.pages_inline')} />
  const label = t('task.pages_of_ticket_number', { ticket_number })
  const groups = [
    [
      {
        ...({ icon: isFlat ? 'subtasks' : 'list', run: toggle } as const),
        name: isFlat ? t('task.show_as_a_tree') : t('task.sort_by_last_update'),
      },
      {
        ...({ icon: 'archive', run: () => setShowsArchived(!showsArchived) } as const),
        name: showsArchived ? t('task.hide_archived_pages') : t('task.show_archived_pages'),
      },
    ],
  ]
  const trigger = (
    <button type="button" className="button quiet only">
      <Icon name="dots" label={t('task.page_list_options')} />
    </button>
  )
  const end = (
    <>
      {status !== 'Deleted' && <NewPage ticket={ticket_number} isShort />}
      <Menu label={t('task.page_list_options')} trigger={trigger} groups={groups} />
    </>
  )
  return (
    <DetailSection
      title={t('task.pages')}
      count={pages.length ? String(pages.length) : ''}
      end={end}
      requested={requested}
    >
      {isFlat ? <FlatList {...{ label, pages }} /> : <Tree {...{ label, pages }} />}
      <LoadError of={list} what={t('task.pages_inline')} />
      {list.data && !pages.length && (
        <p className="soft">{t('task.use_pages_for_notes_plans_and_findings')}</p>
      )}
      {showsArchived && <Archived task_id={task_id} />}
    </DetailSection>
  )
}

/** The archived pages, with a button to restore each. */
export function Archived({ task_id }: { task_id: number }) {
  const { data } = useTaskPages(task_id, 'Archive')
  if (!data) return null
  return (
    <div className="archived-pages">
      <h3>{t('common.archived')}</h3>
      {data.length ? (
        <ul aria-label={t('task.archived_pages')}>
          {data.map((page) => (
            <ArchivedPage key={page.page_id} page={page} />
          ))}
        </ul>
      ) : (
        <p className="soft">{t('task.no_archived_pages')}</p>
      )}
    </div>
  )
}

const ArchivedPage = ({ page }: { page: PageRow }) => (
  <li>
    <Link href={`/p/${page.page_id}`} state={originState()} className="page-line">
      <Icon name="archive" />
      <span className="name truncate" dir="auto">
        {page.title}
      </span>
    </Link>
    <button type="button" className="button quiet" onClick={() => void unarchivePage(page)}>
      {rich('task.restore_title', { title: <span className="unseen">{page.title}</span> })}
    </button>
  </li>
)
