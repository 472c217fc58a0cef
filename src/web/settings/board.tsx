import { type ComponentType, useEffect, useRef } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { Refused, wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { WayOn } from '../parts/missing.tsx'
import './board/board.css'
import './board/forms.css'
import Columns from './board/columns.tsx'
import { mayOn, type PartProps as OfBoard } from './board/data.ts'
import Fields from './board/fields.tsx'
import { useKeptFocus } from './board/focus.ts'
import General from './board/general.tsx'
import Instructions from './board/instructions.tsx'
import Labels from './board/labels.tsx'
import Members from './board/members.tsx'
import Playbook from './board/playbook.tsx'
import Pulls from './board/pulls.tsx'
import Skills from './board/skills.tsx'
import Templates from './board/templates.tsx'
import type { PartProps } from './screen.tsx'

/** In the order in which they are listed, by the word in the address. */
const PARTS = {
  general: ['General', General],
  columns: ['Columns', Columns],
  labels: ['Labels', Labels],
  fields: ['Custom fields', Fields],
  members: ['Members', Members],
  playbook: ['Playbook', Playbook],
  instructions: ['Instructions', Instructions],
  skills: ['Skills', Skills],
  templates: ['Templates', Templates],
  pulls: ['Pull requests', Pulls],
} as const satisfies Record<string, readonly [string, ComponentType<OfBoard>]>
type Name = keyof typeof PARTS

/** How a board is set up: the one of the address, else the one that somebody comes home to. */
export default function Board({ me, id }: PartProps) {
  const first = me.profile.default_board ?? me.boards[0]?.project_id
  const project_id = id === undefined ? first : Number(id)
  if (project_id === undefined) return <NoBoard />
  if (!Number.isInteger(project_id) || project_id < 1) return <Missing />
  return <Known key={project_id} {...{ me, project_id }} />
}

function Known({ me, project_id }: { me: Me; project_id: number }) {
  const { data: board, error } = useAsk('projects.manifest', { project_id })
  const [query] = useSearchParams()
  useKeptFocus()
  const of = query.get('of') ?? 'general'
  const name: Name = Object.hasOwn(PARTS, of) ? (of as Name) : 'general'
  if (error && !board) return <Missing error={error} />
  if (!board) return <Shape />
  const [, Shown] = PARTS[name]
  return (
    <div className="board-settings">
      <header>
        <h1>
          <span className="unseen">Settings of </span>
          <span dir="auto">{board.title}</span>
        </h1>
        <Choose {...{ me, board }} of={name} />
        <Link href={`/projects/${project_id}`} className="button plain">
          To the board
        </Link>
      </header>
      <Tabs {...{ project_id, name }} />
      <div className="parts">
        <Shown board={board} may={mayOn(me, board)} />
      </div>
    </div>
  )
}

/** Where they are wider than the window, the one that is shown is brought into it. */
function Tabs({ project_id, name }: { project_id: number; name: Name }) {
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is another link that is marked
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]')
    link?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [name])
  return (
    <nav ref={nav} className="tabs" aria-label="Settings of the board">
      {Object.entries(PARTS).map(([one, [words]]) => (
        <Link
          key={one}
          href={`/settings/board/${project_id}?of=${one}`}
          aria-current={one === name ? 'page' : undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  )
}

interface ChooseProps {
  me: Me
  board: OfBoard['board']
  of: Name
}

/** The same part of another board. */
function Choose({ me, board, of }: ChooseProps) {
  const [, go] = useLocation()
  const { project_id, title } = board
  const isListed = me.boards.some((one) => one.project_id === project_id)
  const others = isListed ? me.boards : [{ project_id, title }, ...me.boards]
  if (others.length < 2) return null
  return (
    <select
      className="field"
      aria-label="Board"
      value={project_id}
      onChange={({ target }) => go(`/settings/board/${target.value}?of=${of}`)}
    >
      {others.map((one) => (
        <option key={one.project_id} value={one.project_id}>
          {one.title}
        </option>
      ))}
    </select>
  )
}

const NoBoard = () => (
  <div className="board-settings">
    <h1>No board yet</h1>
    <p className="soft">Each board has its own columns, labels, members and playbook.</p>
    <Link href="/new" className="button main">
      Make a board
    </Link>
  </div>
)

/** A board that one may not see is none to whoever looks for it. */
const ABSENT = new Set([400, 403, 404])

function Missing({ error }: { error?: Error }) {
  const isUnknown = !error || (error instanceof Refused && ABSENT.has(error.status))
  return (
    <div className="board-settings" role="alert">
      <h1>{isUnknown ? 'There is no such board here' : 'This board cannot be shown'}</h1>
      <p className="soft">
        {isUnknown
          ? 'It may have been deleted, or you are not among those who see it.'
          : wordsOf(error)}
      </p>
      <WayOn {...{ isUnknown, error }} />
    </div>
  )
}

/** The shape of what comes, when it takes its time. */
const Shape = () => (
  <div className="board-settings shape" aria-hidden="true">
    {['40%', '100%', '70%', '90%', '60%'].map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
