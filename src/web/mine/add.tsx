import { type RefObject, useState } from 'react'
import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { Refused, wordsOf } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { isComposing } from '../parts/composing.ts'
import { dueWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { readMine } from './follow.ts'
import { kept } from './literal.ts'
import type { MyView } from './shapes.ts'
import { Chips, type Part, type Understood } from './understood.tsx'

interface Props {
  view: MyView | undefined
  field: RefObject<HTMLInputElement | null>
}

/** A title and Enter make a task of one's own. Where nobody said on which board, it asks once. */
export function Add({ view, field }: Props) {
  const { title, write, adding, asking, boards, usual, submit, pick } = useAdd(view)
  const keep = (part: Part) => {
    write(kept(title, part))
    field.current?.focus()
  }
  return (
    <div className="adding">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Icon name="plus" />
        <input
          ref={field}
          dir="auto"
          aria-label="New task for yourself"
          placeholder="Add a task: “Call Kim tomorrow 14:00 !high”"
          maxLength={500}
          enterKeyHint="done"
          value={title}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) =>
            event.key === 'Escape' && !isComposing(event) && event.currentTarget.blur()
          }
        />
        {title && <kbd>Enter</kbd>}
      </form>
      <Chips title={title} view_id={view?.view_id} project_id={usual} onKeep={keep} />
      {asking !== undefined && (
        <Boards
          boards={boards}
          onPick={(project_id) => {
            pick(asking, project_id)
            field.current?.focus()
          }}
        />
      )}
      {adding.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be added twice
        <p key={at} className="todo pending" aria-busy="true">
          {one}
        </p>
      ))}
    </div>
  )
}

function useAdd(view: MyView | undefined) {
  const draft = useDraft('add-mine')
  const [title, setTitle] = useState(draft.found?.text ?? '')
  const [asking, setAsking] = useState<string>()
  const [adding, setAdding] = useState<readonly string[]>([])
  const { data: me } = useAsk('user_context.get', {})
  const boards = me?.boards ?? []
  const hasUsual = Boolean(view?.default_project_id ?? me?.profile.default_board)
  // What was answered counts at once, not only once the server has told of it.
  const [answered, setAnswered] = useState<{ view: MyView | undefined; project_id: number }>()
  const own = answered?.view?.view_id === view?.view_id ? answered?.project_id : undefined
  const write = (text: string) => {
    setTitle(text)
    draft.keep(text)
    setAsking(undefined)
  }
  const add = async (text: string, project_id?: number) => {
    write('')
    draft.drop()
    setAdding((some) => [...some, text])
    try {
      await addTask({ title: text, project_id, view_id: view?.view_id })
    } catch (error) {
      // What was typed stands there again, whatever was typed since.
      setTitle((now) => (now ? `${text} ${now}` : text))
      draft.keep(text)
      if (error instanceof Refused && error.details.boards) setAsking(text)
      else complain(wordsOf(error))
    } finally {
      setAdding((some) => some.toSpliced(some.indexOf(text), 1))
    }
  }
  const submit = () => {
    const text = title.trim()
    if (!text) return
    if (!hasUsual && !own && boards.length !== 1) return setAsking(text)
    void add(text, hasUsual ? undefined : (own ?? boards[0]!.project_id))
  }
  // What is typed is read with the names of some board.
  const usual = hasUsual ? undefined : (own ?? boards[0]?.project_id)
  const pick = (text: string, project_id: number) => {
    setAnswered({ view, project_id })
    void add(text, project_id)
  }
  return { title, write, adding, asking, boards, usual, submit, pick }
}

interface BoardsProps {
  boards: readonly { project_id: number; title: string }[]
  onPick(project_id: number): void
}

function Boards({ boards, onPick }: BoardsProps) {
  if (!boards.length)
    return (
      <p className="which" role="alert">
        There is no board yet that a task could go to. <Link href="/new">Make one</Link>
      </p>
    )
  return (
    <fieldset className="which">
      <legend>On which board do your new tasks go? It is kept for the next ones.</legend>
      {boards.map(({ project_id, title }, at) => (
        <button
          key={project_id}
          type="button"
          className="button plain"
          // biome-ignore lint/a11y/noAutofocus: the answer to what was just sent
          autoFocus={at === 0}
          onClick={() => onPick(project_id)}
        >
          {title}
        </button>
      ))}
    </fieldset>
  )
}

interface Given {
  title: string
  project_id: number | undefined
  view_id: string | undefined
}

async function addTask({ title, project_id, view_id }: Given) {
  const made = await send('my_tasks.add', {
    ...{ title, natural: true },
    ...(project_id && { project_id }),
    ...(view_id && { view_id }),
  })
  if (!('ticket_number' in made)) return
  const { task_id, ticket_number, understood } = made
  say(`Added ${ticket_number}${whenAndWho(understood)}`, () => {
    send('tasks.update', { task_id, status: 'Deleted' }).then(readMine, (error) =>
      complain(wordsOf(error)),
    )
  })
  await readMine()
}

/** What one may not see in the list: the task may be far down in it, or somebody else's. */
function whenAndWho(got: Understood | undefined): string {
  const others = got?.parts.some(({ means }) => means === 'assignees')
  const names = got?.assignees.map(({ name }) => name).join(', ')
  return (
    (others ? ` for ${names}` : '') + (got?.due_date ? `: ${dueWords(got.due_date).short}` : '')
  )
}
