import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '../data/drafts.ts'
import { hintOf, useShortcuts } from '../frame/keys.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { type Task, useMe } from '../task/data.ts'
import { leaveField } from '../task/leave.ts'
import type { Source } from '../task/over.ts'
import { Unsaved } from '../task/unsaved.tsx'
import { About } from './about.tsx'
import { Around } from './around.tsx'
import { Body } from './body.tsx'
import { bringBack, type Page, refused, sourceOf, useTaskPages } from './data.ts'
import { PageMenu } from './deeds.tsx'
import { wayBack } from './from.ts'
import { Head, useTaskOf } from './head.tsx'
import { above } from './nesting.ts'
import { News, useNews } from './news.tsx'
import { IN_PAGE } from './table.ts'
import { Title } from './title.tsx'
import { Writing } from './writing.tsx'

/** A page as it is read, and as it is written once somebody asks for that. */
export function Sheet({ page }: { page: Page }) {
  const { page_id, task_id, ticket_number, project_id } = page
  const { data: pages = [] } = useTaskPages(task_id)
  const { task } = useTaskOf(task_id)
  const isFixed = page.archived_at !== null || task?.status === 'Deleted'
  const [base, setBase] = useState<Source>()
  const draft = useDraft(`page:${page_id}`)
  const [news, forget] = useNews(page, useMe())
  const versions = useVersions(page_id)
  const edit = () => void sourceOf(page).then(setBase, refused)
  const close = () => {
    leaveField('.writing')
    setBase(undefined)
    draft.look()
  }
  usePageKeys({ page, isWriting: base !== undefined, edit: isFixed ? undefined : edit, versions })
  return (
    <article className="task sheet" tabIndex={-1} aria-label={page.title}>
      <Head
        task={{ project_id, ticket_number, title: task?.title }}
        path={above(pages, page.parent_page_id)}
      >
        {!base && !isFixed && <Do name="Edit" icon="pencil" what="edit" run={edit} />}
        <Do name="Versions" icon="history" what="versions" run={() => versions()} />
        <PageMenu page={page} pages={pages} isFixed={isFixed} />
      </Head>
      <div className="sheet-body">
        <div className="columns">
          <div className="text">
            {page.archived_at && <Away page={page} task={task} />}
            <Title key={page_id} page={page} isFixed={isFixed} />
            <About page={page} />
            <News news={news} isWriting={base !== undefined} onClose={forget} onShow={versions} />
            {!base && draft.found && !isFixed && (
              <Unsaved at={draft.found.at} onEdit={edit} onDrop={draft.drop} />
            )}
            {base ? (
              <Writing page={page} base={base} onClose={close} />
            ) : (
              <Body page={page} isFixed={isFixed} />
            )}
          </div>
          <Around {...{ page, pages, isFixed }} isReading={!base} />
        </div>
      </div>
    </article>
  )
}

interface DoProps {
  name: string
  icon: IconName
  what: keyof typeof IN_PAGE
  run(): void
}

/** A thing to do with the key that does it. */
const Do = ({ name, icon, what, run }: DoProps) => (
  <button type="button" className="button quiet" onClick={run}>
    <Icon name={icon} /> <span className="word">{name}</span> <kbd>{hintOf(IN_PAGE[what])}</kbd>
  </button>
)

/** Leads to the versions, to one of them where one is asked for. */
function useVersions(page_id: number) {
  const [, go] = useLocation()
  return (version: number | '' = '') =>
    go(`/p/${page_id}?version=${version}`, { state: history.state })
}

interface KeysProps {
  page: Page
  isWriting: boolean
  edit: (() => void) | undefined
  versions(): void
}

function usePageKeys({ page, isWriting, edit, versions }: KeysProps) {
  const [, go] = useLocation()
  useShortcuts(IN_PAGE, {
    edit: () => (edit && !isWriting ? edit() : false),
    versions: () => (isWriting ? false : versions()),
    // In the field they are the field's; elsewhere there is nothing to be saved by the browser.
    save: () => {},
    leave() {
      if (isWriting) return false
      return go(wayBack(page.ticket_number))
    },
  })
}

const Away = ({ page, task }: { page: Page; task: Task | undefined }) => (
  <p className="notice">
    <span>This page is archived</span>
    {task?.status !== 'Deleted' && (
      <button
        type="button"
        className="button quiet"
        onClick={() => {
          leaveField('.notice')
          void bringBack(page)
        }}
      >
        Restore
      </button>
    )}
  </p>
)
