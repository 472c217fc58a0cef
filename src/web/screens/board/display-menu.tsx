import { Suspense, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { type Column, taskCountIn } from '../../entities/board/data.ts'
import { openChatSoon } from '../../entities/chat/chat-request.ts'
import { useHasChat } from '../../entities/chat/has-chat.ts'
import { type Command, useCommands } from '../../entities/command/commands.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { Menu } from '../../kit/menu.tsx'
import { t } from '../../messages/t.ts'
import { type BoardQuery, setToggle } from './board-query.ts'
import { useExportCommands } from './export-commands.ts'
import { useLayoutCommands } from './layouts.ts'
import { print } from './print.tsx'
import { SORTS, type Sort } from './rules.ts'
import { showCompletedText, showHiddenText } from './show-texts.ts'
import type { TableOption } from './table/options.tsx'

const TableOptions = lazyComponent(() => import('./table/options.tsx'))

interface Props {
  project_id: number
  boardQuery: BoardQuery
  columns: readonly Column[]
  onFilter(): void
}

/** The menu for layout, sorting, visible columns and exports. */
export function DisplayMenu({ project_id, boardQuery, columns, onFilter }: Props) {
  const displayCommands = useDisplayCommands(boardQuery, columns)
  const [archive, settings] = useOtherScreens(project_id)
  const [layouts, lanes] = useLayoutCommands(boardQuery)
  const ask = useHasChat() ? ASK : NO_COMMANDS
  const exports = useExportCommands(project_id, boardQuery.view)
  const { button, tableCommands, picker } = useTableOptions(project_id, boardQuery)
  const commandList = useMemo(
    (): Command[] => [
      ...layouts,
      ...lanes,
      ...tableCommands,
      ...displayCommands,
      ...ask,
      PRINT,
      archive,
      settings,
      ...exports,
      { name: t('board.filter_board'), icon: 'filter', hint: 'F', run: onFilter },
    ],
    [layouts, lanes, tableCommands, displayCommands, ask, archive, settings, exports, onFilter],
  )
  useCommands(commandList)
  return (
    <>
      <Menu
        label={t('board.display_options')}
        trigger={
          <button ref={button} type="button" className="button quiet">
            <Icon name="settings" />
            <span className="word">{t('common.show')}</span>
          </button>
        }
        groups={[
          layouts,
          lanes,
          tableCommands,
          displayCommands,
          sortItems(boardQuery),
          [...ask, PRINT, archive, settings],
          exports,
        ].filter((group) => group.length)}
      />
      {picker}
    </>
  )
}

/** Commands for the columns and the groups of the table, and the list that they open. */
function useTableOptions(project_id: number, boardQuery: BoardQuery) {
  const button = useRef<HTMLButtonElement>(null)
  const [what, setWhat] = useState<TableOption>()
  const isTable = boardQuery.layout === 'list'
  const tableCommands = useMemo((): Command[] => {
    const keywords = 'table list fields'
    const command = (name: string, icon: 'list' | 'board' | 'subtasks', option: TableOption) => ({
      ...{ name, icon, keywords },
      run: () => setWhat(option),
    })
    if (!isTable) return []
    return [
      command(t('table.columns'), 'list', 'columns'),
      command(t('table.group_dialog'), 'board', 'group'),
      command(t('table.subgroup_dialog'), 'subtasks', 'subgroup'),
    ]
  }, [isTable])
  const picker = what && (
    <Suspense>
      <TableOptions
        {...{ what, project_id, boardQuery, anchor: button.current }}
        onClose={() => setWhat(undefined)}
      />
    </Suspense>
  )
  return { button, tableCommands, picker }
}

/** Commands that lead to other screens of this board. */
function useOtherScreens(project_id: number): readonly [Command, Command] {
  const [, go] = useLocation()
  return useMemo(
    () => [
      {
        ...{ name: t('board.archived_tasks'), icon: 'archive', keywords: 'restore' },
        run: () => go(`/archive?board=${project_id}`),
      },
      {
        ...{ name: t('board.board_settings'), icon: 'settings' },
        keywords: 'columns labels fields members playbook instructions templates archive',
        run: () => go(`/settings/board/${project_id}`),
      },
    ],
    [go, project_id],
  )
}

const NO_COMMANDS: readonly Command[] = []
const ASK: readonly Command[] = [
  {
    ...{ name: t('board.ask_about_this_board'), icon: 'spark', keywords: 'chat ai' },
    run: openChatSoon,
  },
]
const PRINT: Command = { name: t('board.print'), icon: 'page', keywords: 'pdf paper', run: print }

function useDisplayCommands(boardQuery: BoardQuery, columns: readonly Column[]): Command[] {
  const { showsDone, showsHidden, isFlat, updateAddress } = boardQuery
  const done = countIn(columns.filter((column) => column.done && !column.hidden))
  const hidden = countIn(columns.filter((column) => column.hidden))
  const hasSubtasks = columns.some(({ cards }) => cards.some((card) => card.parent_task_id))
  return useMemo(() => {
    const displayCommands: (Command | false)[] = [
      done !== undefined && {
        ...{
          name: showsDone ? t('board.hide_completed') : showCompletedText(done),
          icon: 'done',
        },
        run: () => setToggle(updateAddress, 'done', !showsDone),
      },
      hidden !== undefined && {
        ...{
          name: showsHidden ? t('board.hide_hidden_columns') : showHiddenText(hidden),
          icon: 'moon',
        },
        run: () => setToggle(updateAddress, 'hidden', !showsHidden),
      },
      hasSubtasks
        ? {
            ...{
              name: isFlat ? t('board.hide_subtasks') : t('board.show_subtasks'),
              icon: 'subtasks',
            },
            run: () => setToggle(updateAddress, 'subtasks', !isFlat),
          }
        : false,
    ]
    return displayCommands.filter((one) => typeof one === 'object')
  }, [updateAddress, isFlat, showsDone, showsHidden, done, hidden, hasSubtasks])
}

/** The number of tasks in these columns; undefined if there are no columns. */
const countIn = (columns: readonly Column[]) => (columns.length ? taskCountIn(columns) : undefined)

function sortItems({ sorting, updateAddress }: BoardQuery) {
  const { mode: sort = 'Manual', order } = sorting[0] ?? {}
  const sortBy = (mode: string) => updateAddress((query) => query.set('sort', mode))
  const sorts = (Object.keys(SORTS) as Sort[]).map((mode) => ({
    name: t('board.sort_mode', { mode: SORTS[mode] }),
    checked: mode === sort,
    run: () => sortBy(mode),
  }))
  const isReversed = order === 'Descending'
  const toggleValue = {
    name: isReversed ? t('board.sort_ascending') : t('board.sort_descending'),
    icon: 'repeat' as const,
    run: () => sortBy(isReversed ? sort : `-${sort}`),
  }
  return sort === 'Manual' ? sorts : [...sorts, toggleValue]
}
