import { Suspense, useState } from 'react'
import { cache, useOperationMutation } from '../../data/cache.ts'
import { sendWrite } from '../../data/write-queue.ts'
import type { Board, Column } from '../../entities/board/data.ts'
import type { Rule } from '../../entities/task/condition/filter.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { Menu } from '../../kit/menu.tsx'
import type { MenuItem } from '../../kit/menu-popup.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { BoardQuery } from './board-query.ts'
import { type Draft, serverSorting, type View } from './rules.ts'
import { type Display, discardDisplay } from './table/display.ts'

const ViewEditor = lazyComponent(() => import('./view-editor/editor.tsx'))

export const readViews = () => void cache.invalidateQueries({ queryKey: ['views.list'] })

interface Props {
  board: Board
  boardQuery: BoardQuery
  shown: readonly Column[]
}

/** The menu of the saved views of this board. */
export function ViewMenu({ board, boardQuery, shown }: Props) {
  const [editing, setEditing] = useState<View | 'new'>()
  const { view, isChanged } = boardQuery
  const { saveView: saveChanges, toggleDefault, erase: deleteView } = useViewActions(boardQuery)
  const currentDraft = () => draftOf(boardQuery, shown)
  const groups = menuGroupsOf(boardQuery, {
    edit: setEditing,
    saveChanges: (changed) => saveChanges(changed, currentDraft(), displayOf(boardQuery)),
    toggleDefault,
    deleteView,
  })
  const name = view?.title ?? t('board.all_tasks')
  return (
    <>
      <Menu
        label={t('board.board_views')}
        trigger={
          <button
            type="button"
            className="button quiet view-name"
            aria-label={t('board.view_name', { name })}
          >
            <span className={view ? 'name' : 'word'}>{name}</span>
            {isChanged && (
              <span className="dot changed" role="img" aria-label={t('board.changed')} />
            )}
            <Icon name="chevron" />
          </button>
        }
        groups={groups}
      />
      {editing && (
        <ViewDialog
          {...{ board, boardQuery, shown }}
          view={editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

interface DialogProps extends Props {
  view: View | 'new'
  onClose(): void
}

/** The dialog that edits a view, or saves what is shown as a new one. */
export function ViewDialog({ board, boardQuery, shown, view, onClose }: DialogProps) {
  const isNew = view === 'new'
  const hasLeases = boardQuery.filter.groups.some(({ rules }) => rules.some(isAboutLeases))
  return (
    <Suspense>
      <ViewEditor
        {...{ board, onClose, shown: draftOf(boardQuery, shown) }}
        view={isNew ? undefined : view}
        note={isNew && hasLeases ? WORK_FILTER_NOTE : ''}
        onSaved={async (view_id) => {
          await saveDisplay(view_id, displayOf(boardQuery))
          discardDisplay(board.project_id, boardQuery.view)
          onClose()
          readViews()
          boardQuery.show(view_id)
        }}
      />
    </Suspense>
  )
}

/** Views cannot filter by agents at work, because leases change constantly. */
const isAboutLeases = ({ field }: Rule) => field === 'working'
const WORK_FILTER_NOTE = t('board.the_filter_being_worked_on_is_not')

interface MenuActions {
  edit(view: View | 'new'): void
  /** Saves the filter, the sorting, the columns and the table that are shown now. */
  saveChanges(view: View): void
  toggleDefault(view: View): void
  deleteView(view: View): void
}

/** The menu: the views to choose from, then the actions on the current one. */
function menuGroupsOf({ view, views, show, isChanged }: BoardQuery, actions: MenuActions) {
  const { edit, saveChanges, toggleDefault, deleteView } = actions
  const groups: MenuItem[][] = [
    [
      menuItem(t('board.all_tasks'), !view, () => show(undefined)),
      ...views.map((other) =>
        menuItem(other.title, other.view_id === view?.view_id, () => show(other.view_id)),
      ),
    ],
    [
      ...(view && isChanged
        ? [
            {
              name: t('board.save_changes_to_title', { title: view.title }),
              run: () => saveChanges(view),
            },
          ]
        : []),
      { name: t('board.save_as_a_view_dialog'), icon: 'plus' as const, run: () => edit('new') },
      ...(view
        ? [{ name: t('board.edit_view_dialog'), icon: 'pencil' as const, run: () => edit(view) }]
        : []),
      ...(view ? [{ name: defaultLabel(view), run: () => toggleDefault(view) }] : []),
    ],
    view ? [{ name: t('board.delete_view'), danger: true, run: () => deleteView(view) }] : [],
  ]
  return groups.filter((items) => items.length)
}

const menuItem = (name: string, isCurrent: boolean, run: () => void) => ({
  name,
  checked: isCurrent,
  run,
})

const defaultLabel = ({ is_default }: View) =>
  is_default ? t('board.stop_using_as_default') : t('board.use_as_default')

/** The fields of a view for the current display. */
export function draftOf(boardQuery: BoardQuery, shown: readonly Column[]): Draft {
  const { view, filter, sorting, showsDone, showsHidden, isFlat } = boardQuery
  const isOwn = !showsDone || showsHidden || Boolean(view?.visible_section_ids)
  const setting = view?.subtask_setting ?? 'Flattened'
  const groups = filter.groups
    .map((group) => ({ ...group, rules: group.rules.filter((rule) => !isAboutLeases(rule)) }))
    .filter(({ rules }) => rules.length)
  return {
    match: filter.match,
    ...{ board_filters: { groups }, label_names: [], assignee_ids: [] },
    visible_section_ids: isOwn ? shown.map(({ section_id }) => section_id) : null,
    sorting_stack: serverSorting(sorting),
    ...{
      subtask_setting:
        setting.startsWith('Flattened') === isFlat ? setting : isFlat ? 'Flattened' : 'Parent',
    },
  }
}

/** How the table shows the tasks now, with the sorting that only it knows. */
export function displayOf({ display, sorting }: BoardQuery): Display {
  const isServerSorted = serverSorting(sorting).length === sorting.length
  return { ...display, ...(!isServerSorted && { sorting }) }
}

const saveDisplay = async (view_id: string, display: Display | null) => {
  if (display && Object.keys(display).length)
    await sendWrite('views.set_display', { view_id, display }).catch(showError)
}

/** The fields that are needed to create the view again. */
function storedFields(view: View) {
  const { visible_section_ids, board_filters, sorting_stack, subtask_setting } = view
  const { label_names, assignee_ids, match } = view
  const rest = { label_names, assignee_ids, match }
  return { visible_section_ids, board_filters, sorting_stack, subtask_setting, ...rest }
}

const defaultViewMessage = (title: string | undefined) =>
  title === undefined
    ? t('board.the_default_view_is_all_tasks')
    : t('board.the_default_view_is_title', { title })

/** The writes of views. */
function useViewWrites({ show }: BoardQuery) {
  const { mutate: update } = useOperationMutation('views.update', {
    onDone({ view_id }) {
      readViews()
      show(view_id)
    },
    onFailed: showError,
  })
  const { mutate: makeDefault } = useOperationMutation('views.set_default', {
    onDone: readViews,
    onFailed: showError,
  })
  const { mutate: create } = useOperationMutation('views.create', {
    onDone({ view_id }) {
      readViews()
      show(view_id)
    },
    onFailed: showError,
  })
  const { mutate: remove } = useOperationMutation('views.delete', {
    onDone: readViews,
    onFailed(error, { view_id }) {
      showError(error)
      show(view_id)
    },
  })
  return { update, makeDefault, create, remove }
}

export function useViewActions(boardQuery: BoardQuery) {
  const { show } = boardQuery
  const { update, makeDefault, create, remove } = useViewWrites(boardQuery)
  const toggleDefault = ({ view_id, is_default, title }: View) => {
    const undo = () => makeDefault({ view_id, set_as_default: is_default })
    const onSuccess = () => showToast(defaultViewMessage(is_default ? undefined : title), undo)
    makeDefault({ view_id, set_as_default: !is_default }, { onSuccess })
  }
  const erase = (view: View) => {
    const { project_id, title, visibility, is_default } = view
    const recreated = {
      project_id,
      title,
      visibility,
      set_as_default: is_default,
      ...storedFields(view),
    }
    show(undefined)
    const restore = () =>
      create(recreated, {
        onSuccess: ({ view_id }) => void saveDisplay(view_id, view.display).then(readViews),
      })
    const onSuccess = () => showToast(t('board.deleted_the_view_title', { title }), restore)
    remove({ view_id: view.view_id }, { onSuccess })
  }
  const saveView = (view: View, savedDraft: Draft, display: Display) => {
    const { view_id, title, project_id } = view
    const undo = () => {
      update({ view_id, ...storedFields(view) })
      const write = sendWrite('views.set_display', { view_id, display: view.display })
      void write.then(readViews, showError)
    }
    const onSuccess = async () => {
      await saveDisplay(view_id, display)
      discardDisplay(project_id, view)
      readViews()
      showToast(t('board.saved_changes_to_title', { title }), undo)
    }
    update({ view_id, ...savedDraft }, { onSuccess })
  }
  return { saveView, toggleDefault, erase }
}
