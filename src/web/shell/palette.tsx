import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type RefObject, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '../data/drafts.ts'
import { type OverlayName, showOverlay } from '../entities/command/overlay.ts'
import { Icon } from '../kit/icon.tsx'
import { LoadError, type Loading } from '../kit/load-error.tsx'
import { takeTypedEarly } from '../kit/overlay-loading.tsx'
import { t } from '../messages/t.ts'
import {
  type PaletteEntry,
  useActionEntries,
  useBoardEntries,
  useContextEntries,
  useCreateEntries,
} from './entries.ts'
import { useSearchResults } from './search-results.ts'
import './palette.css'
import { useOpenTask } from '../entities/task/open-task.ts'
import { addRecent, recentItems } from '../entities/task/recent.ts'
import type { Me } from '../entities/user/me.ts'
import { rankByMatch } from '../kit/rank.ts'
import {
  ASK_ID,
  askEntry,
  SEARCH_ALL_ID,
  searchAllEntry,
  useRecentSearchEntries,
} from './searches.ts'

const FIELDS = {
  find: t('shell.search_tasks_boards_and_actions'),
  boards: t('shell.go_to_a_board_name'),
  create: t('shell.what_needs_to_be_done'),
} as const
type Page = keyof typeof FIELDS

interface Group {
  title: string
  items: readonly PaletteEntry[]
}

/** The command palette. */
export default function Palette({ me, page: first }: { me: Me; page: Page }) {
  const [page, setPage] = useState<Page>(first)
  const draft = useDraft('new-task')
  const [typed, setTyped] = useState(first === 'create' ? (draft.stored?.text ?? '') : '')
  const hasRun = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const showPage = (next: OverlayName) => {
    setPage(next as Page)
    setTyped(next === 'create' ? (draft.stored?.text ?? '') : '')
    field.current?.focus()
  }
  const { groups, reason, list, isBusy } = useGroups(me, page, typed, showPage, draft.discard)
  const run = (entry: PaletteEntry) => {
    if (!entry.keepsOpen) {
      hasRun.current = true
      showOverlay(undefined)
    }
    entry.run()
  }
  const type = (text: string) => {
    setTyped(text)
    if (page === 'create') draft.save(text)
  }
  return (
    <Base.Root open onOpenChange={(open) => !open && showOverlay(undefined)}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        {/* After a choice the focus must not return to the opener. */}
        <Base.Popup
          className="dialog palette"
          aria-label={t('shell.search_or_run_a_command')}
          initialFocus={field}
          finalFocus={() => !hasRun.current || focusScreen()}
        >
          <Autocomplete.Root
            {...({ open: true, inline: true, mode: 'none', autoHighlight: 'always' } as const)}
            keepHighlight
            items={groups}
            value={typed}
            onValueChange={(text, { reason }) => reason !== 'item-press' && type(text)}
            itemToStringValue={({ name }: PaletteEntry) => name}
          >
            <Field {...{ page, field, typed, type }} onBack={() => showPage('find')} />
            <ResultStatus {...{ page, typed, reason, list, isBusy }} groups={groups} />
            <List onRun={run} />
          </Autocomplete.Root>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Focuses the screen instead of its first control, which Enter would press. */
function focusScreen(): false {
  const target = document.querySelector<HTMLElement>('.peek') ?? document.getElementById('main')
  target?.focus({ preventScroll: true })
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
        <Icon name="back" label={t('shell.back_to_search')} />
      </button>
    )}
    <Autocomplete.Input
      ref={field}
      placeholder={FIELDS[page]}
      aria-label={FIELDS[page]}
      maxLength={500}
      onFocus={() => {
        const typedEarly = takeTypedEarly()
        if (typedEarly) type(typed + typedEarly)
      }}
      onKeyDown={({ key }) => key === 'Backspace' && !typed && page !== 'find' && onBack()}
    />
    <Base.Close className="button quiet">
      <kbd>{t('shell.esc')}</kbd>
      <span className="unseen">{t('common.close')}</span>
    </Base.Close>
  </header>
)

interface ResultStatusProps {
  page: Page
  typed: string
  groups: readonly Group[]
  /** Why the server refused the search. */
  reason: string
  list?: Loading
  isBusy: boolean
}

/** Announces the number of results, and shows a message if there are none. */
function ResultStatus({ page, typed, groups, reason, list, isBusy }: ResultStatusProps) {
  const results = groups
    .flatMap(({ items }) => items)
    .filter(({ id }) => id !== SEARCH_ALL_ID && id !== ASK_ID)
  const count = results.length
  return (
    <>
      <p className="unseen" role="status">
        {isBusy ? '' : t('shell.count_results', { count })}
      </p>
      {reason ? (
        <p className="nothing wrong" role="alert">
          {reason}
        </p>
      ) : (
        list && <LoadError of={list} what={t('common.tasks_inline')} />
      )}
      {!count && !isBusy && !reason && !list?.error && <Nothing page={page} typed={typed} />}
    </>
  )
}

const Nothing = ({ page, typed }: { page: Page; typed: string }) => (
  <p className="nothing">
    {page === 'create'
      ? t('shell.type_a_title_then_select_a_board')
      : t('shell.no_results_for_typed_try_operators_is', { typed: typed.trim() })}
  </p>
)

const List = ({ onRun }: { onRun(entry: PaletteEntry): void }) => (
  <Autocomplete.List className="results">
    {({ title, items }: Group) => (
      <Autocomplete.Group key={title} items={items}>
        <Autocomplete.GroupLabel className="heading">{title}</Autocomplete.GroupLabel>
        <Autocomplete.Collection>
          {(entry: PaletteEntry) => (
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

const MAX_RECENT = 5
function useGroups(
  me: Me,
  page: Page,
  typed: string,
  showPage: (page: OverlayName) => void,
  onCreated: () => void,
) {
  const [path, go] = useLocation()
  const openTask = useOpenTask()
  const open = (key: string, name: string) => {
    addRecent({ kind: 'task', id: key, name })
    openTask(key)
  }
  const actions = useActionEntries(me, showPage)
  const context = useContextEntries()
  const boards = useBoardEntries(me, (id) => go(`/projects/${id}`))
  const createEntries = useCreateEntries(me, typed, onCreated)
  const query = page === 'find' ? typed : ''
  const { found, pages, texts, reason, list, isBusy, ...others } = useSearchResults(query, open, go)
  const searches = useRecentSearchEntries(go)
  if (page === 'create')
    return { groups: nonEmpty([[t('shell.create'), createEntries]]), reason: '', isBusy: false }
  const matchingBoards = rankByMatch(typed, boards)
  if (page === 'boards')
    return { groups: nonEmpty([[t('common.boards'), matchingBoards]]), reason: '', isBusy: false }
  const recentEntries = recentEntriesOf(path, boards, open)
  const question = typed.trim()
  const otherTexts = texts.filter(({ id }) => !pages.some((one) => one.id === id))
  const matches = nonEmpty([
    [t('common.tasks'), found],
    [t('common.pages'), pages],
    [t('common.boards'), withFurther(matchingBoards, others.boards)],
    [t('shell.people_and_skills'), others.people],
    [context.title, rankByMatch(typed, context.entries)],
    [t('shell.actions'), rankByMatch(typed, actions)],
    [t('shell.in_page_and_task_text'), otherTexts],
  ])
  // Without results, the question can go to the chat.
  const offersChat = question.endsWith('?') || !(matches.length || isBusy)
  const searchActions = [searchAllEntry(question, go), ...(offersChat ? [askEntry(question)] : [])]
  const groups = question
    ? [...matches, { title: t('shell.everything'), items: searchActions }]
    : nonEmpty([
        [t('shell.recent'), [...recentEntries.slice(0, MAX_RECENT), ...searches]],
        [context.title, context.entries],
        [t('shell.actions'), actions],
        [t('common.boards'), boards],
      ])
  return { groups, reason, list, isBusy }
}

/** The recent boards and tasks, without the one that is open. */
const recentEntriesOf = (
  path: string,
  boards: readonly PaletteEntry[],
  open: (key: string, name: string) => void,
) =>
  recentItems().flatMap(({ kind, id, name }): PaletteEntry[] =>
    path === `/projects/${id}` || path === `/t/${id}`
      ? []
      : kind === 'board'
        ? boards.filter((one) => one.id === `board ${id}`).map((one) => ({ ...one, id: `r ${id}` }))
        : [{ id: `r ${id}`, name, mark: id, run: () => open(id, name) }],
  )

/** Boards that match in spite of a typo come after the others. */
const withFurther = (entries: readonly PaletteEntry[], further: readonly PaletteEntry[]) => [
  ...entries,
  ...further.filter(({ id }) => !entries.some((one) => one.id === id)),
]

const nonEmpty = (groups: readonly [string, readonly PaletteEntry[]][]): Group[] =>
  groups.filter(([, items]) => items.length).map(([title, items]) => ({ title, items }))
