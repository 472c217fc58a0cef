import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAct, useAsk, useCache } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { boardAt, type Me, useOpenTask } from '../frame/places.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, Priority } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { erase } from './copies.ts'
import { isGone, later, notGone, useGone } from './later.ts'
import './templates.css'

type Template = Output<'templates.list'>['items'][number]

interface Props {
  me: Me
  onClose(): void
}

/** Tasks to begin from: those of the board that one is at. */
export default function Templates({ me, onClose }: Props) {
  const board = useBoardHere(me)
  const [text, setText] = useState('')
  const projectId = board?.project_id ?? 0
  const list = useAsk(
    'templates.list',
    { projectId, limit: 50, ...(text.trim() && { search: text.trim() }) },
    { enabled: board !== undefined, keep: true },
  )
  const apply = useApply(onClose)
  const remove = useRemove()
  useGone()
  const templates = (list.data?.items ?? []).filter((one) => !isGone(`template ${one.template_id}`))
  return (
    <Dialog open onClose={onClose} title={`New on ${board?.title ?? 'a board'} from a template`}>
      <div className="from-template">
        <input
          className="field"
          aria-label="Find a template"
          placeholder="Find a template"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <ul aria-label="Templates">
          {templates.map((one) => (
            <Line
              key={one.template_id}
              template={one}
              onPick={() => apply(one)}
              onRemove={() => remove(one)}
            />
          ))}
        </ul>
        <LoadError of={list} what="templates" />
        {list.data && !templates.length && <p className="soft">{text ? NONE_SO : NONE}</p>}
      </div>
    </Dialog>
  )
}

const NONE_SO = 'No template has this name.'
const NONE =
  'A template is a task to begin from, with its text, labels, size and sub-tasks. Open a task ' +
  'that others will be like, and choose “Make a template” from its menu.'

/** The board that is shown, that of the task that is shown, or the one that one comes home to. */
function useBoardHere(me: Me) {
  const [path] = useLocation()
  const [, key] = /^\/t\/([^-]+)-/.exec(path) ?? []
  const here = boardAt(path)
  return (
    me.boards.find((one) => one.project_id === here || one.key === key) ??
    me.boards.find((one) => one.project_id === me.profile.default_board) ??
    me.boards[0]
  )
}

interface LineProps {
  template: Template
  onPick(): void
  onRemove(): void
}

function Line({ template, onPick, onRemove }: LineProps) {
  const { name, priority, size, labels, subtask_count: count } = template
  const about = [
    size !== 'none' && size,
    ...labels.map((one) => one.name),
    count > 0 && (count === 1 ? '1 sub-task' : `${count} sub-tasks`),
  ].filter(Boolean)
  return (
    <li>
      <button type="button" className="template" onClick={onPick}>
        <Icon name="page" />
        <span className="name">{name}</span>
        <span className="soft">{about.join(', ')}</span>
        {priority > 0 && <Priority value={priority} />}
      </button>
      <button type="button" className="button quiet only" onClick={onRemove}>
        <Icon name="trash" label={`Delete the template ${name}`} />
      </button>
    </li>
  )
}

export function useApply(onClose: () => void) {
  const open = useOpenTask()
  const { act } = useAct('templates.apply', {
    done({ ticket_number, task_id, title }) {
      onClose()
      open(ticket_number)
      say(`Created ${ticket_number}, ${title}`, () => erase(task_id))
    },
    failed: (error) => complain(wordsOf(error)),
  })
  return ({ template_id }: Template) => act({ templateId: template_id })
}

/** For good, so it is done only once it cannot be undone any more. */
export function useRemove() {
  const cache = useCache()
  const again = () => void cache.invalidateQueries({ queryKey: ['templates.list'] })
  const { act } = useAct('templates.delete', {
    done: again,
    failed(error, { templateId }) {
      notGone(`template ${templateId}`)
      again()
      complain(wordsOf(error))
    },
  })
  return ({ template_id, name }: Template) => {
    later({
      ...{ what: `template ${template_id}`, words: `Deleted the template ${name}`, back: again },
      run: () => act({ templateId: template_id }),
    })
    again()
  }
}
