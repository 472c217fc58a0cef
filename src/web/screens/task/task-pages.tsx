import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type PageRow, unarchivePage, useTaskPages } from '../../entities/page/data.ts'
import { NewPage } from '../../entities/page/new-page.tsx'
import { originState } from '../../entities/page/origin.ts'
import { FlatList, Tree } from '../../entities/page/tree.tsx'
import type { Task } from '../../entities/task/data.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { Menu } from '../../kit/menu.tsx'
import { DetailSection } from './detail-section.tsx'

const STORAGE_KEY = 'pages-flat'

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
  if (!pages.length && !requested && !showsArchived) return <LoadError of={list} what="pages" />
  const label = `Pages of ${ticket_number}`
  const groups = [
    [
      {
        ...({ icon: isFlat ? 'subtasks' : 'list', run: toggle } as const),
        name: isFlat ? 'Show as a tree' : 'Sort by last update',
      },
      {
        ...({ icon: 'archive', run: () => setShowsArchived(!showsArchived) } as const),
        name: showsArchived ? 'Hide archived pages' : 'Show archived pages',
      },
    ],
  ]
  const trigger = (
    <button type="button" className="button quiet only">
      <Icon name="dots" label="Page list options" />
    </button>
  )
  const end = (
    <>
      {status !== 'Deleted' && <NewPage ticket={ticket_number} isShort />}
      <Menu label="Page list options" trigger={trigger} groups={groups} />
    </>
  )
  return (
    <DetailSection
      title="Pages"
      count={pages.length ? String(pages.length) : ''}
      end={end}
      requested={requested}
    >
      {isFlat ? <FlatList {...{ label, pages }} /> : <Tree {...{ label, pages }} />}
      <LoadError of={list} what="pages" />
      {list.data && !pages.length && (
        <p className="soft">Use pages for notes, plans and findings. Every version is kept.</p>
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
    <div className="put-away">
      <h3>Archived</h3>
      {data.length ? (
        <ul aria-label="Archived pages">
          {data.map((page) => (
            <ArchivedPage key={page.page_id} page={page} />
          ))}
        </ul>
      ) : (
        <p className="soft">No archived pages</p>
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
      Restore<span className="unseen"> {page.title}</span>
    </button>
  </li>
)
