import { type RefObject, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { Refused, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { useDraft } from '../task/drafts.ts'
import { type MyView, readMine } from './data.ts'
import { Chips, naturally } from './understood.tsx'

interface Props {
  view: MyView | undefined
  field: RefObject<HTMLInputElement | null>
}

/** A title and Enter make a task of one's own. Where nobody said on which board, it asks once. */
export function Add({ view, field }: Props) {
  const { title, write, adding, asking, boards, submit, pick } = useAdd(view)
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
          aria-label="New task for yourself"
          placeholder="Add a task for yourself"
          maxLength={500}
          enterKeyHint="done"
          value={title}
          onChange={(event) => write(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        {title && <kbd>Enter</kbd>}
      </form>
      <Chips title={title} view_id={view?.view_id} />
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
  const usual = view?.default_project_id ?? me?.profile.default_board
  const write = (text: string) => {
    setTitle(text)
    draft.keep(text)
  }
  const add = async (text: string, project_id?: number) => {
    setTitle('')
    draft.drop()
    setAsking(undefined)
    setAdding((some) => [...some, text])
    try {
      await addTask({ title: text, ...(project_id && { project_id }), view })
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
    if (!usual && boards.length !== 1) return setAsking(text)
    void add(text, usual ? undefined : boards[0]!.project_id)
  }
  const pick = (text: string, project_id: number) => void add(text, project_id)
  return { title, write, adding, asking, boards, submit, pick }
}

interface BoardsProps {
  boards: readonly { project_id: number; title: string }[]
  onPick(project_id: number): void
}

const Boards = ({ boards, onPick }: BoardsProps) => (
  <fieldset className="which">
    <legend>
      {boards.length
        ? 'On which board do your new tasks go? It is kept for the next ones.'
        : 'There is no board yet that a task could go to.'}
    </legend>
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

async function addTask({
  view,
  ...given
}: {
  title: string
  project_id?: number
  view: MyView | undefined
}) {
  const made = await send('my_tasks.add', {
    ...{ ...given, ...naturally },
    ...(view && { view_id: view.view_id }),
  })
  await readMine()
  if (!('ticket_number' in made)) return
  const { task_id, ticket_number } = made
  say(`Added ${ticket_number}`, () => {
    send('tasks.update', { task_id, status: 'Deleted' }).then(readMine, (error) =>
      complain(wordsOf(error)),
    )
  })
}
