import { type ClipboardEvent, type RefObject, useState } from 'react'
import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import { useDraft } from '../../data/drafts.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { addPastedLines, addPastedText, type Place } from '../../entities/task/add-pasted.ts'
import { escapeInTitle } from '../../entities/task/escape.ts'
import { ParsedChips } from '../../entities/task/parsed-title.tsx'
import { PasteOffer } from '../../entities/task/paste-offer.tsx'
import { countLines, type PastedLine, readPastedLines } from '../../entities/task/pasted-lines.ts'
import { SimilarTitle } from '../../entities/task/similar-title.tsx'
import { TitleField } from '../../entities/task/title-field.tsx'
import type { ParsedTitle, TitlePart } from '../../entities/task/understood.ts'
import { dueText } from '../../kit/dates.ts'
import { ApiError } from '../../kit/errors.ts'
import { Form } from '../../kit/form.tsx'
import { Icon } from '../../kit/icon.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import { reloadMyTasks } from './follow.ts'
import { useShared } from './shared.ts'
import { attachShared, SharedFileList, type SharedFiles, useSharedFiles } from './shared-files.tsx'
import type { MyView } from './types.ts'

interface Props {
  view: MyView | undefined
  field: RefObject<HTMLInputElement | null>
}

/** Adds a task by its title. Without a default board it asks for the board once. */
export function AddTask({ view, field }: Props) {
  const added = useField(view, field)
  const { title, write, pending, titleWithoutBoard, boards, fallbackProjectId } = added
  const boardId = useDefaultBoard(view) ?? fallbackProjectId
  const { pasted, onPaste, endPaste } = usePastedLines(boardId, field)
  const keepAsText = (part: TitlePart) => {
    write(escapeInTitle(title, part))
    field.current?.focus()
  }
  return (
    <div className="adding">
      <Form className="new-todo" onSubmit={added.submit}>
        <Icon name="plus" />
        <TitleField
          ref={field}
          label={t('mine.new_task_for_yourself')}
          placeholder={t('mine.add_a_task_call_kim_tomorrow_14')}
          value={title}
          project_id={boardId}
          onChange={write}
          onPaste={onPaste}
          onKeyDown={({ key }) => key === 'Escape' && document.getElementById('main')?.focus()}
        />
        {title && <kbd>{t('mine.enter')}</kbd>}
      </Form>
      <SharedFileList {...added.shared} />
      {pasted && (
        <PasteOffer
          lines={pasted.lines}
          onMany={() => endPaste((place) => addPastedLines(place, pasted.lines))}
          onOne={() => endPaste((place) => addPastedText(place, pasted.text))}
          onCancel={() => endPaste()}
        />
      )}
      <ParsedChips
        title={title}
        view_id={view?.view_id}
        project_id={fallbackProjectId}
        onKeep={keepAsText}
      />
      {boardId !== undefined && <SimilarTitle project_id={boardId} title={title} />}
      {titleWithoutBoard !== undefined && (
        <BoardPicker
          boards={boards}
          onPick={(project_id) => {
            added.pick(titleWithoutBoard, project_id)
            field.current?.focus()
          }}
        />
      )}
      {pending.map((pendingTitle, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be added twice
        <p key={index} className="todo pending" aria-busy="true">
          {pendingTitle}
        </p>
      ))}
    </div>
  )
}

/** A text of several lines that is pasted; its tasks go to a board that is known. */
function usePastedLines(project_id: number | undefined, field: Props['field']) {
  const user_id = useOperation('user_context.get', {}).data?.profile.user_id
  const [pasted, setPasted] = useState<{ text: string; lines: PastedLine[] }>()
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    const lines = readPastedLines(text)
    if (project_id === undefined || countLines(lines) < 2) return
    event.preventDefault()
    setPasted({ text, lines })
  }
  const endPaste = (create?: (place: Place) => Promise<unknown>) => {
    setPasted(undefined)
    field.current?.focus()
    if (!create || !user_id || project_id === undefined) return
    void create({ project_id, assignee_ids: [user_id] }).then(reloadMyTasks)
  }
  return { pasted, onPaste, endPaste }
}

function useDefaultBoard(view: MyView | undefined): number | undefined {
  const { data: me } = useOperation('user_context.get', {})
  return view?.default_project_id ?? me?.profile.default_board ?? undefined
}

function useField(view: MyView | undefined, field: Props['field']) {
  const shared = useSharedFiles()
  const added = useAddTask(view, shared)
  useShared(field, added.write)
  return { ...added, shared }
}

function useAddTask(view: MyView | undefined, shared: SharedFiles) {
  const draft = useDraft('add-mine')
  const [title, setTitle] = useState(draft.stored?.text ?? '')
  const [titleWithoutBoard, setTitleWithoutBoard] = useState<string>()
  const [pending, setPending] = useState<readonly string[]>([])
  const { data: me } = useOperation('user_context.get', {})
  const boards = me?.boards ?? []
  const hasDefaultBoard = Boolean(useDefaultBoard(view))
  // The chosen board is used at once, before the server confirms the new default.
  const [chosenBoard, setChosenBoard] = useState<{ view: MyView | undefined; project_id: number }>()
  const chosenProjectId =
    chosenBoard?.view?.view_id === view?.view_id ? chosenBoard?.project_id : undefined
  const write = (text: string) => {
    setTitle(text)
    draft.save(text)
    setTitleWithoutBoard(undefined)
  }
  const add = async (text: string, project_id?: number) => {
    write('')
    draft.discard()
    setPending((titles) => [...titles, text])
    const files = shared.take()
    try {
      const task = await addTask({ title: text, project_id, view_id: view?.view_id })
      if (task) void attachShared(task, files)
    } catch (error) {
      shared.putBack(files)
      // Puts the refused title back, before anything typed since.
      setTitle((typedSince) => (typedSince ? `${text} ${typedSince}` : text))
      draft.save(text)
      if (error instanceof ApiError && error.details.boards) setTitleWithoutBoard(text)
      else showError(error)
    } finally {
      setPending((titles) => titles.toSpliced(titles.indexOf(text), 1))
    }
  }
  const submit = () => {
    const text = title.trim()
    if (!text) return
    if (!hasDefaultBoard && !chosenProjectId && boards.length !== 1)
      return setTitleWithoutBoard(text)
    void add(text, hasDefaultBoard ? undefined : (chosenProjectId ?? boards[0]!.project_id))
  }
  // The title is parsed with the labels and people of one board.
  const fallbackProjectId = hasDefaultBoard ? undefined : (chosenProjectId ?? boards[0]?.project_id)
  const pick = (text: string, project_id: number) => {
    setChosenBoard({ view, project_id })
    void add(text, project_id)
  }
  return { title, write, pending, titleWithoutBoard, boards, fallbackProjectId, submit, pick }
}

interface BoardsProps {
  boards: readonly { project_id: number; title: string }[]
  onPick(project_id: number): void
}

function BoardPicker({ boards, onPick }: BoardsProps) {
  if (!boards.length)
    return (
      <p className="board-choice" role="alert">
        {rich('mine.you_have_no_boards_yet_link', {
          link: <Link href="/new">{t('mine.create_a_board')}</Link>,
        })}
      </p>
    )
  return (
    <fieldset className="board-choice">
      <legend>{t('mine.which_board_should_new_tasks_go_to')}</legend>
      {boards.map(({ project_id, title }, index) => (
        <button
          key={project_id}
          type="button"
          className="button plain"
          // biome-ignore lint/a11y/noAutofocus: the answer to what was just sent
          autoFocus={index === 0}
          onClick={() => onPick(project_id)}
        >
          {title}
        </button>
      ))}
    </fieldset>
  )
}

interface NewTask {
  title: string
  project_id: number | undefined
  view_id: string | undefined
}

async function addTask({ title, project_id, view_id }: NewTask) {
  const result = await sendWrite('my_tasks.add', {
    ...{ title, natural: true },
    ...(project_id && { project_id }),
    ...(view_id && { view_id }),
  })
  if (!('ticket_number' in result)) return undefined
  const { task_id, ticket_number, understood } = result
  showToast(addedText(ticket_number, understood), () => {
    sendWrite('tasks.update', { task_id, status: 'Deleted' }).then(reloadMyTasks, showError)
  })
  await reloadMyTasks()
  return { task_id, ticket_number }
}

/**
 * Names the due date and other assignees, because the new task may be far down in the list or
 * somebody else's.
 */
function addedText(ticket_number: string, parsed: ParsedTitle | undefined): string {
  const others = parsed?.parts.some(({ means }) => means === 'assignees')
  const names = parsed?.assignees.map(({ name }) => name).join(', ')
  const added = others
    ? t('mine.added_ticket_number_for_names', { ticket_number, names })
    : t('mine.added_ticket_number', { ticket_number })
  return added + (parsed?.due_date ? `: ${dueText(parsed.due_date).short}` : '')
}
