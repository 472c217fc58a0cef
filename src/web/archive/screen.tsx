import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { isRejected } from '../data/load-failures.ts'
import type { Me } from '../frame/places.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import './archive.css'
import { leaving, useBoards, useTasks } from './data.ts'
import { Empty } from './empty.tsx'
import { List } from './list.tsx'
import { type Kind, type Look, useLook } from './look.ts'
import { boardKey, taskKey } from './restore.ts'
import { BoardRow, TaskRow, useStep } from './rows.tsx'

/** Archived tasks and boards: to look for, to open and to restore. */
export default function Archive({ me }: { me: Me }) {
  const look = useLook()
  return (
    <section className="archive" aria-labelledby="archive-title">
      <header>
        <h1 id="archive-title">Archive</h1>
        <Kinds look={look} />
      </header>
      <Filters me={me} look={look} />
      {look.kind === 'tasks' ? <Tasks me={me} look={look} /> : <Boards look={look} />}
    </section>
  )
}

const NAMES: Record<Kind, string> = { tasks: 'Tasks', boards: 'Boards' }

const Kinds = ({ look }: { look: Look }) => (
  <nav className="which" aria-label="Archived items">
    {(['tasks', 'boards'] as const).map((kind) => (
      <Link
        key={kind}
        href={look.pathOf(kind)}
        aria-current={kind === look.kind ? 'page' : undefined}
      >
        {NAMES[kind]}
      </Link>
    ))}
  </nav>
)

function Filters({ me, look }: { me: Me; look: Look }) {
  const { kind, text, setText, clear } = look
  const what = kind === 'tasks' ? 'Search archived tasks' : 'Search archived boards'
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is sent
    <div className="filters" role="search">
      <label className="box">
        <Icon name="search" />
        <input
          type="text"
          aria-label={what}
          placeholder={what}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={500}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {text && (
          <button type="button" className="button quiet only" onClick={clear}>
            <Icon name="close" label="Clear the search" />
          </button>
        )}
      </label>
      {kind === 'tasks' && <BoardSelect me={me} look={look} />}
    </div>
  )
}

/** Tasks of archived boards are listed only when their board is selected. */
function BoardSelect({ me: { boards }, look: { board, setBoard } }: { me: Me; look: Look }) {
  const isOther = board !== undefined && boards.every(({ project_id }) => project_id !== board)
  const { data } = useAsk('projects.manifest', { project_id: board ?? 0 }, { enabled: isOther })
  return (
    <select
      className="field"
      aria-label="Board"
      value={board ?? ''}
      onChange={({ target }) => setBoard(target.value)}
    >
      <option value="">All boards</option>
      {boards.map(({ project_id, title }) => (
        <option key={project_id} value={project_id}>
          {title}
        </option>
      ))}
      {isOther && <option value={board}>{data?.title ?? 'Another board'}</option>}
    </select>
  )
}

function Tasks({ me, look }: { me: Me; look: Look }) {
  const { list, rows, total } = useTasks(look.words, look.board)
  const gone = leaving.use()
  const shown = rows?.filter((row) => !gone.has(taskKey(row)))
  const titles = new Map(me.boards.map(({ project_id, title }) => [project_id, title]))
  const mayRestore = me.permissions.includes('tasks:write')
  useStep(shown)
  return (
    <Content {...{ look, list, total }} count={shown?.length} what="archived tasks">
      <List rows={shown ?? []} list={list} what="archived tasks" keyOf={taskKey}>
        {(task) => (
          <TaskRow task={task} board={titles.get(task.project_id)} mayRestore={mayRestore} />
        )}
      </List>
    </Content>
  )
}

function Boards({ look }: { look: Look }) {
  const { list, rows, total } = useBoards(look.words)
  const gone = leaving.use()
  const shown = rows?.filter((row) => !gone.has(boardKey(row)))
  return (
    <Content {...{ look, list, total }} count={shown?.length} what="archived boards">
      <List rows={shown ?? []} list={list} what="archived boards" keyOf={boardKey}>
        {(board) => <BoardRow board={board} />}
      </List>
    </Content>
  )
}

interface ContentProps {
  look: Look
  list: ReturnType<typeof useTasks>['list'] | ReturnType<typeof useBoards>['list']
  count: number | undefined
  total: number | undefined
  what: string
  children: React.ReactNode
}

/** A list, or what is shown instead: an error, its shape while it loads, or that it is empty. */
function Content({ look, list, count, total, what, children }: ContentProps) {
  if (list.error && isRejected(list.error) && !list.data)
    return (
      <p className="refused" role="alert">
        {wordsOf(list.error)}
      </p>
    )
  return (
    <>
      {!list.data && <LoadError of={list} what={what} />}
      {list.isPending && <Shape />}
      <p className="unseen" role="status">
        {list.isSuccess && `${total ?? count} ${what}`}
      </p>
      {count === 0 ? <Empty look={look} /> : count !== undefined && children}
    </>
  )
}

const SHAPES = ['62%', '48%', '71%', '40%', '55%']

/** Placeholder rows while the list loads. */
const Shape = () => (
  <div className="waiting" aria-hidden="true">
    {SHAPES.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
