import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type RefObject, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useDraft } from '../data/drafts.ts'
import { boardAt } from '../entities/board/address.ts'
import { useHasChat } from '../entities/chat/has-chat.ts'
import { showOverlay } from '../entities/command/overlay.ts'
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
  useViewEntries,
} from './entries.ts'
import { useSearchResults } from './search-results.ts'
import './palette.css'
import { useOpenTask } from '../entities/task/open-task.ts'
import { addRecent, recentItems } from '../entities/task/recent.ts'
import SimilarTasks from '../entities/task/similar-tasks.tsx'
import type { Me } from '../entities/user/me.ts'
import { rankByMatch } from '../kit/rank.ts'
import {
  ASK_ID,
  askEntry,
  SEARCH_ALL_ID,
  searchAllEntry,
  useRecentSearchEntries,
} from './searches.ts'
import { STEP_HINTS, STEPS, type StepName, useStepEntries } from './task-steps/steps.ts'
import { type Targets, useTargets } from './task-steps/targets.ts'

const FIELDS = {
  find: t('shell.search_tasks_boards_and_actions'),
  boards: t('shell.go_to_a_board_name'),
  create: t('shell.what_needs_to_be_done'),
} as const
type Page = keyof typeof FIELDS | StepName

const placeholderOf = (page: Page) =>
  page in STEPS ? STEPS[page as StepName].name : FIELDS[page as 'find']

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
  const [targets] = useState(useTargets())
  const field = useRef<HTMLInputElement>(null)
  const showPage = (next: Page) => {
    setPage(next)
    setTyped(next === 'create' ? (draft.stored?.text ?? '') : '')
    field.current?.focus()
  }
  const { groups, reason, list, isBusy } = useGroups({
    ...{ me, page, typed, targets, showPage, onCreated: draft.discard },
  })
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
            <Field
              {...{ page, field, typed, type }}
              about={targets?.name}
              onBack={() => showPage('find')}
            />
            <ResultStatus {...{ page, typed, reason, list, isBusy }} groups={groups} />
            <List onRun={run} />
            {page === 'create' && <Similar me={me} title={typed} />}
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
  /** The tasks that a step changes. */
  about: string | undefined
  field: RefObject<HTMLInputElement | null>
  typed: string
  type(text: string): void
  onBack(): void
}

const Field = ({ page, about, field, typed, type, onBack }: FieldProps) => (
  <header>
    {page === 'find' ? (
      <Icon name="search" />
    ) : (
      <button type="button" className="button quiet only" onClick={onBack}>
        <Icon name="back" label={t('shell.back_to_search')} />
      </button>
    )}
    {page in STEPS && <span className="crumb">{about}</span>}
    <Autocomplete.Input
      ref={field}
      placeholder={placeholderOf(page)}
      aria-label={placeholderOf(page)}
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

interface GroupsInput {
  me: Me
  page: Page
  typed: string
  targets: Targets | undefined
  showPage(page: Page): void
  onCreated(): void
}

interface Groups {
  groups: Group[]
  /** Why the server refused the search. */
  reason: string
  list?: Loading
  isBusy: boolean
}

function useGroups(input: GroupsInput): Groups {
  const { me, page, typed, targets, onCreated } = input
  const [, go] = useLocation()
  const boards = useBoardEntries(me, (id) => go(`/projects/${id}`))
  const createEntries = useCreateEntries(me, typed, onCreated)
  const step = page in STEPS ? (page as StepName) : undefined
  const stepEntries = useStepEntries(me, step, targets, typed)
  const found = useFindGroups(input, boards)
  const only = (title: string, items: readonly PaletteEntry[]) => ({
    ...{ groups: nonEmpty([[title, items]]), reason: '', isBusy: false },
  })
  if (step) return only(STEPS[step].name, stepEntries)
  if (page === 'create') return only(t('shell.create'), createEntries)
  if (page === 'boards') return only(t('common.boards'), rankByMatch(typed, boards))
  return found
}

/** The first page: what was used last, then what matches the typed text. */
function useFindGroups(
  { me, page, typed, targets, showPage }: GroupsInput,
  boards: readonly PaletteEntry[],
): Groups {
  const [path, go] = useLocation()
  const openTask = useOpenTask()
  const open = (key: string, name: string) => {
    addRecent({ kind: 'task', id: key, name })
    openTask(key)
  }
  const actions = useActionEntries(me, showPage)
  const context = useTaskEntries(targets, showPage)
  const query = page === 'find' ? typed : ''
  const { found, pages, texts, reason, list, isBusy, ...others } = useSearchResults(query, open, go)
  const views = useViewEntries(me, go, query.trim() !== '')
  const searches = useRecentSearchEntries(go)
  const hasChat = useHasChat()
  const question = typed.trim()
  if (!question) {
    const recent = [...recentEntriesOf(path, boards, open).slice(0, MAX_RECENT), ...searches]
    const groups = nonEmpty([
      [t('shell.recent'), recent],
      ...context,
      [t('shell.actions'), actions],
      [t('common.boards'), boards],
    ])
    return { groups, reason, list, isBusy }
  }
  const otherTexts = texts.filter(({ id }) => !pages.some((one) => one.id === id))
  const matches = nonEmpty([
    [t('common.tasks'), found],
    [t('common.pages'), pages],
    [t('common.boards'), withFurther(rankByMatch(typed, boards), others.boards)],
    [t('shell.views'), rankByMatch(typed, views).slice(0, MAX_RECENT)],
    [t('shell.people_and_skills'), others.people],
    ...context.map(([title, items]): NamedGroup => [title, rankByMatch(typed, items)]),
    [t('shell.actions'), rankByMatch(typed, actions)],
    [t('shell.in_page_and_task_text'), otherTexts],
  ])
  // Without results, the question can go to the chat.
  const offersChat = hasChat && (question.endsWith('?') || !(matches.length || isBusy))
  const items = [searchAllEntry(question, go), ...(offersChat ? [askEntry(question)] : [])]
  return { groups: [...matches, { title: t('shell.everything'), items }], reason, list, isBusy }
}

/** The commands for the open task or the selected cards; most of them ask for a value. */
function useTaskEntries(
  targets: Targets | undefined,
  showPage: (page: Page) => void,
): readonly NamedGroup[] {
  const { title, entries, isOfTasks } = useContextEntries()
  if (!targets) return [[title, entries]]
  const steps = Object.entries(STEPS).map(
    ([name, command]): PaletteEntry => ({
      ...{ id: `step ${name}`, ...command, keepsOpen: true },
      run: () => showPage(name as StepName),
    }),
  )
  if (!isOfTasks)
    return [
      [title, entries],
      [targets.name, steps],
    ]
  return [[title, [...steps, ...entries.filter(({ hint }) => !STEP_HINTS.has(hint))]]]
}

/** Open or done tasks that may be the same as the one being created. */
function Similar({ me, title }: { me: Me; title: string }) {
  const [path] = useLocation()
  const project_id = boardAt(path) ?? me.profile.default_board ?? me.boards[0]?.project_id
  return project_id ? <SimilarTasks {...{ project_id, title }} /> : null
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

type NamedGroup = readonly [string, readonly PaletteEntry[]]

const nonEmpty = (groups: readonly NamedGroup[]): Group[] =>
  groups.filter(([, items]) => items.length).map(([title, items]) => ({ title, items }))
