import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { EVERYWHERE, hintOf } from '../frame/keys.ts'
import type { Look } from './look.ts'

interface Props {
  look: Look
  /** How many will come back by themselves. */
  asleep: number
  onAdd(): void
}

/** What belongs here, and the first step. */
export function Empty({ look, asleep, onAdd }: Props) {
  const { data: me } = useAsk('user_context.get', {})
  const { view, isChanged, isAsleep, reset, setAsleep } = look
  const hasBoards = !me || me.boards.length > 0
  const isNarrow = isChanged || view !== undefined
  return (
    <div className="empty">
      <span className="pin" aria-hidden="true" />
      <h2>{isNarrow ? 'Nothing here fits' : 'Nothing waits for you'}</h2>
      <p className="soft">{lesson(isNarrow, hasBoards, asleep)}</p>
      <div className="deeds">
        {isChanged && (
          <button type="button" className="button plain" onClick={reset}>
            {view ? `As ${view.title} says` : 'Show all of them'}
          </button>
        )}
        {asleep > 0 && !isAsleep && (
          <button type="button" className="button plain" onClick={() => setAsleep(true)}>
            Show snoozed tasks
          </button>
        )}
        {hasBoards ? (
          <button type="button" className="button plain" onClick={onAdd}>
            Add a task <kbd>{hintOf(EVERYWHERE.create)}</kbd>
          </button>
        ) : (
          <Link className="button main" href="/new">
            Make a board
          </Link>
        )}
      </div>
    </div>
  )
}

function lesson(isNarrow: boolean, hasBoards: boolean, asleep: number): string {
  if (!hasBoards) return 'Tasks live on boards. Make one, and what is yours on it stands here.'
  const sleep = asleep === 1 ? 'One task is snoozed' : `${asleep} tasks are snoozed`
  const back = asleep
    ? ` ${sleep} and will come back by ${asleep === 1 ? 'itself' : 'themselves'}.`
    : ''
  return isNarrow
    ? `Other tasks of yours are on other boards, or left out by what is chosen under View.${back}`
    : `Tasks that are assigned to you stand here, from all boards, those that are due first.${back}`
}

const SHAPES = ['62%', '48%', '71%', '40%', '55%', '66%']

/** The shape of what comes, where that takes a while. */
export const Shape = () => (
  <div className="waiting" aria-hidden="true">
    {SHAPES.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
)
