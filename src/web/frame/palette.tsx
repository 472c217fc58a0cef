import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type RefObject, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '../data/drafts.ts'
import { takeTyped } from '../parts/coming.tsx'
import { Icon } from '../parts/icon.tsx'
import { LoadError, type Loading } from '../parts/load-error.tsx'
import { type Above, showAbove } from './above.ts'
import { type Entry, useActions, useBoards, useCreate, useHere } from './entries.ts'
import { useFound } from './found.ts'
import { useFoundPages } from './found-pages.ts'
import './palette.css'
import { type Me, useOpenTask } from './places.ts'
import { ranked } from './rank.ts'
import { recent, remember } from './recent.ts'
import { ASKED, asked, EVERYTHING, inEverything, useLastSearches } from './searches.ts'

const FIELDS = {
  find: 'Search tasks, boards and actions',
  boards: 'Go to a board',
  create: 'What is to be done?',
} as const
type Page = keyof typeof FIELDS

interface Group {
  title: string
  items: readonly Entry[]
}

/** Everything there is, by its name. */
export default function Palette({ me, page: first }: { me: Me; page: Page }) {
  const [page, setPage] = useState<Page>(first)
  const draft = useDraft('new-task')
  const [typed, setTyped] = useState(first === 'create' ? (draft.found?.text ?? '') : '')
  const moved = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const turnTo = (next: Above) => {
    setPage(next as Page)
    setTyped(next === 'create' ? (draft.found?.text ?? '') : '')
    field.current?.focus()
  }
  const { groups, words, list, isBusy } = useGroups(me, page, typed, turnTo, draft.drop)
  const run = (entry: Entry) => {
    if (!entry.stays) {
      moved.current = true
      showAbove(undefined)
    }
    entry.run()
  }
  const type = (text: string) => {
    setTyped(text)
    if (page === 'create') draft.keep(text)
  }
  return (
    <Base.Root open onOpenChange={(open) => !open && showAbove(undefined)}>
      <Base.Portal>
        <Base.Backdrop className="veil" />
        {/* What was chosen leads elsewhere; going back would take the focus from there. */}
        <Base.Popup
          className="dialog palette"
          aria-label="Search, or do anything"
          initialFocus={field}
          finalFocus={() => !moved.current || toScreen()}
        >
          <Autocomplete.Root
            {...({ open: true, inline: true, mode: 'none', autoHighlight: 'always' } as const)}
            keepHighlight
            items={groups}
            value={typed}
            onValueChange={(text, { reason }) => reason !== 'item-press' && type(text)}
            itemToStringValue={({ name }: Entry) => name}
          >
            <Field {...{ page, field, typed, type }} onBack={() => turnTo('find')} />
            <Said {...{ page, typed, words, list, isBusy }} groups={groups} />
            <List onRun={run} />
          </Autocomplete.Root>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Not to its first control, as a dialog would: Enter would press that. */
function toScreen(): false {
  const place = document.querySelector<HTMLElement>('.peek') ?? document.getElementById('main')
  place?.focus({ preventScroll: true })
  return false
}

interface FieldProps {
  page: Page
  field: RefObject<HTMLInputElement | null>
  typed: string
  type(text: string): void
  onBack(): void
}

const Field = ({ page, field, typed, type, onBack }: FieldProps) => (
  <header>
    {page === 'find' ? (
      <Icon name="search" />
    ) : (
      <button type="button" className="button quiet only" onClick={onBack}>
        <Icon name="back" label="Back to everything" />
      </button>
    )}
    <Autocomplete.Input
      ref={field}
      placeholder={FIELDS[page]}
      aria-label={FIELDS[page]}
      maxLength={500}
      onFocus={() => {
        const early = takeTyped()
        if (early) type(typed + early)
      }}
      onKeyDown={({ key }) => key === 'Backspace' && !typed && page !== 'find' && onBack()}
    />
    <Base.Close className="button quiet">
      <kbd>Esc</kbd>
      <span className="unseen">Close</span>
    </Base.Close>
  </header>
)

interface SaidProps {
  page: Page
  typed: string
  groups: readonly Group[]
  /** Why the server did not search. */
  words: string
  list?: Loading
  isBusy: boolean
}

/** How much was found, for those who hear it; and for everybody where that is nothing. */
function Said({ page, typed, groups, words, list, isBusy }: SaidProps) {
  const found = groups
    .flatMap(({ items }) => items)
    .filter(({ id }) => id !== EVERYTHING && id !== ASKED)
  const count = found.length
  return (
    <>
      <p className="unseen" role="status">
        {isBusy ? '' : count === 1 ? '1 result' : `${count} results`}
      </p>
      {words ? (
        <p className="nothing wrong" role="alert">
          {words}
        </p>
      ) : (
        list && <LoadError of={list} what="tasks" />
      )}
      {!count && !isBusy && !words && !list?.error && <Nothing page={page} typed={typed} />}
    </>
  )
}

const Nothing = ({ page, typed }: { page: Page; typed: string }) => (
  <p className="nothing">
    {page === 'create'
      ? 'Type a title; then choose the board it goes to.'
      : `Nothing fits “${typed.trim()}”. Operators help: is:overdue, label:web, assignee:me.`}
  </p>
)

const List = ({ onRun }: { onRun(entry: Entry): void }) => (
  <Autocomplete.List className="results">
    {({ title, items }: Group) => (
      <Autocomplete.Group key={title} items={items}>
        <Autocomplete.GroupLabel className="heading">{title}</Autocomplete.GroupLabel>
        <Autocomplete.Collection>
          {(entry: Entry) => (
            <Autocomplete.Item
              key={entry.id}
              value={entry}
              className={`item${entry.done ? ' done' : ''}`}
              onClick={() => onRun(entry)}
            >
              {entry.icon ? <Icon name={entry.icon} /> : <span className="mark">{entry.mark}</span>}
              <span className="name" dir="auto">
                {entry.name}
              </span>
              <span className="end">
                {entry.end && <span className="soft">{entry.end}</span>}
                {entry.hint && <kbd>{entry.hint}</kbd>}
              </span>
            </Autocomplete.Item>
          )}
        </Autocomplete.Collection>
      </Autocomplete.Group>
    )}
  </Autocomplete.List>
)

const MOST_RECENT = 5
function useGroups(
  me: Me,
  page: Page,
  typed: string,
  turnTo: (page: Above) => void,
  made: () => void,
) {
  const [path, go] = useLocation()
  const openTask = useOpenTask()
  const open = (key: string, name: string) => {
    remember({ kind: 'task', id: key, name })
    openTask(key)
  }
  const actions = useActions(me, turnTo)
  const here = useHere()
  const boards = useBoards(me, (id) => go(`/projects/${id}`))
  const creating = useCreate(me, typed, made)
  const { found, texts, words, list, isBusy } = useFound(page === 'find' ? typed : '', open, go)
  const pages = useFoundPages(page === 'find' ? typed : '')
  const searches = useLastSearches(go)
  if (page === 'create') return { groups: filled([['Create', creating]]), words: '', isBusy: false }
  const fitting = ranked(typed, boards)
  if (page === 'boards') return { groups: filled([['Boards', fitting]]), words: '', isBusy: false }
  const seen = recent().flatMap(({ kind, id, name }): Entry[] =>
    path === `/projects/${id}` || path === `/t/${id}`
      ? []
      : kind === 'board'
        ? boards.filter((one) => one.id === `board ${id}`).map((one) => ({ ...one, id: `r ${id}` }))
        : [{ id: `r ${id}`, name, mark: id, run: () => open(id, name) }],
  )
  const question = typed.trim()
  const fit = filled([
    ['Tasks', found],
    ['Pages', pages],
    ['Boards', fitting],
    [here.title, ranked(typed, here.entries)],
    ['Actions', ranked(typed, actions)],
    ['In pages and texts', texts.filter(({ id }) => !pages.some((one) => one.id === id))],
  ])
  // Where nothing fits, somebody who knows may be asked.
  const isAsked = question.endsWith('?') || !(fit.length || isBusy)
  const rest = [inEverything(question, go), ...(isAsked ? [asked(question)] : [])]
  const groups = question
    ? [...fit, { title: 'Everything', items: rest }]
    : filled([
        ['Recent', [...seen.slice(0, MOST_RECENT), ...searches]],
        [here.title, here.entries],
        ['Actions', actions],
        ['Boards', boards],
      ])
  return { groups, words, list, isBusy }
}

const filled = (groups: readonly [string, readonly Entry[]][]): Group[] =>
  groups.filter(([, items]) => items.length).map(([title, items]) => ({ title, items }))
