import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Menu } from '../parts/menu.tsx'
import type { Task } from '../task/data.ts'
import { Part } from '../task/part.tsx'
import { bringBack, type PageRow, useTaskPages } from './data.ts'
import { from } from './from.ts'
import { NewPage } from './new-page.tsx'
import { Flat, Tree } from './tree.tsx'

const NAME = 'pages-flat'

/** How pages are shown is remembered here, as far as this browser keeps anything. */
function useFlat() {
  const [isFlat, setFlat] = useState(() => {
    try {
      return localStorage.getItem(NAME) !== null
    } catch {
      return false
    }
  })
  const turn = () => {
    setFlat(!isFlat)
    try {
      if (isFlat) localStorage.removeItem(NAME)
      else localStorage.setItem(NAME, '1')
    } catch {
      // A full or forbidden store: it is shown so until the page is loaded again.
    }
  }
  return [isFlat, turn] as const
}

interface Props {
  task: Task
  asked: boolean
  /** What stands here until they are there. */
  shape: ReactNode
}

/** The pages of a task, as they are nested or by when they were changed. */
export default function TaskPages({ task, asked, shape }: Props) {
  const { task_id, ticket_number, status } = task
  const list = useTaskPages(task_id)
  const { data: pages = [], isPending } = list
  const [isFlat, turn] = useFlat()
  const [hasOld, setOld] = useState(false)
  if (isPending) return shape
  if (!pages.length && !asked && !hasOld) return <LoadError of={list} what="pages" />
  const label = `Pages of ${ticket_number}`
  const groups = [
    [
      {
        ...({ icon: isFlat ? 'subtasks' : 'list', run: turn } as const),
        name: isFlat ? 'Show them nested' : 'Show the last changed first',
      },
      {
        ...({ icon: 'archive', run: () => setOld(!hasOld) } as const),
        name: hasOld ? 'Hide archived pages' : 'Show archived pages',
      },
    ],
  ]
  const dots = (
    <button type="button" className="button quiet only">
      <Icon name="dots" label="How pages are shown" />
    </button>
  )
  const end = (
    <>
      {status !== 'Deleted' && <NewPage ticket={ticket_number} isShort />}
      <Menu label="How pages are shown" trigger={dots} groups={groups} />
    </>
  )
  return (
    <Part title="Pages" count={pages.length ? String(pages.length) : ''} end={end} asked={asked}>
      {isFlat ? <Flat {...{ label, pages }} /> : <Tree {...{ label, pages }} />}
      <LoadError of={list} what="pages" />
      {list.data && !pages.length && (
        <p className="soft">
          Notes, a plan, what was found out: a page keeps every version of its text.
        </p>
      )}
      {hasOld && <Archived task_id={task_id} />}
    </Part>
  )
}

/** Those that were put away, and the way back for each. */
export function Archived({ task_id }: { task_id: number }) {
  const { data } = useTaskPages(task_id, 'Archive')
  if (!data) return null
  return (
    <div className="put-away">
      <h3>Archived</h3>
      {data.length ? (
        <ul aria-label="Archived pages">
          {data.map((page) => (
            <Away key={page.page_id} page={page} />
          ))}
        </ul>
      ) : (
        <p className="soft">No page of this task is archived.</p>
      )}
    </div>
  )
}

const Away = ({ page }: { page: PageRow }) => (
  <li>
    <Link href={`/p/${page.page_id}`} state={from()} className="page-line">
      <Icon name="archive" />
      <span className="name" dir="auto">
        {page.title}
      </span>
    </Link>
    <button type="button" className="button quiet" onClick={() => void bringBack(page)}>
      Restore<span className="unseen"> {page.title}</span>
    </button>
  </li>
)
